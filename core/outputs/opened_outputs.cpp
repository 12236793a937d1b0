// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/opened_outputs.h"

#include "foundation/error.h"
#include "posterior/outputs_posterior.h"
#include "study/method.h"

#include <algorithm>

namespace credence {

namespace {

/// The rows of two files, numbered consecutively.
class JoinedOutputs final : public RowOutputs {
public:
    JoinedOutputs(std::shared_ptr<const RowOutputs> first, std::shared_ptr<const RowOutputs> second)
        : first_(std::move(first)), second_(std::move(second))
    {}
    int n_draws() const override { return first_->n_draws(); }
    std::size_t n_rows() const override { return first_->n_rows() + second_->n_rows(); }
    int n_classes() const override { return first_->n_classes(); }
    Kind exact_kind() const override
    {
        return first_->exact_kind() == second_->exact_kind() ? first_->exact_kind() : Kind::log_probabilities;
    }

    bool read(Kind kind, std::span<const std::uint32_t> rows, int n_draws, std::span<double> out,
              const std::stop_token& stop) const override
    {
        const auto of_first = [&](std::uint32_t row) { return row < first_->n_rows(); };
        if (std::all_of(rows.begin(), rows.end(), of_first))
            return first_->read(kind, rows, n_draws, out, stop);
        return read_part(*first_, 0, kind, rows, n_draws, out, stop)
               && read_part(*second_, first_->n_rows(), kind, rows, n_draws, out, stop);
    }

    bool has_gaussians() const override { return first_->has_gaussians() && second_->has_gaussians(); }
    std::optional<LogitGaussian> gaussian(std::uint32_t row) const override
    {
        const auto before = static_cast<std::uint32_t>(first_->n_rows());
        return row < before ? first_->gaussian(row) : second_->gaussian(row - before);
    }

private:
    /// Reads the rows of one file, whose numbers start from `before`.
    static bool read_part(const RowOutputs& part, std::size_t before, Kind kind, std::span<const std::uint32_t> rows,
                          int n_draws, std::span<double> out, const std::stop_token& stop)
    {
        std::vector<std::uint32_t> own;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i] >= before && rows[i] - before < part.n_rows()) {
                own.push_back(rows[i] - static_cast<std::uint32_t>(before));
                places.push_back(i);
            }
        if (own.empty())
            return true;
        if (own.size() == rows.size())
            return part.read(kind, own, n_draws, out, stop);
        const auto K = static_cast<std::size_t>(part.n_classes());
        std::vector<double> values(static_cast<std::size_t>(n_draws) * own.size() * K);
        if (!part.read(kind, own, n_draws, values, stop))
            return false;
        for (std::size_t s = 0; s < static_cast<std::size_t>(n_draws); ++s)
            for (std::size_t i = 0; i < own.size(); ++i)
                std::copy_n(values.begin() + static_cast<std::ptrdiff_t>((s * own.size() + i) * K), K,
                            out.begin() + static_cast<std::ptrdiff_t>((s * rows.size() + places[i]) * K));
        return true;
    }

    std::shared_ptr<const RowOutputs> first_, second_;
};

void require_same_kind(const OutputsFile& own, const OutputsFile& foreign)
{
    if (foreign.rows->n_classes() != own.rows->n_classes())
        throw Error(foreign.part.name + ": found " + std::to_string(foreign.rows->n_classes()) + " classes, expected "
                    + std::to_string(own.rows->n_classes()) + " as in " + own.part.name
                    + ": OOD outputs must come from the same network.");
    if (foreign.rows->n_draws() != own.rows->n_draws())
        throw Error(foreign.part.name + ": found " + std::to_string(foreign.rows->n_draws()) + " draws, expected "
                    + std::to_string(own.rows->n_draws()) + " as in " + own.part.name + ".");
    if (foreign.rows->n_rows() + own.rows->n_rows() > RowOutputs::most_rows)
        throw Error(foreign.part.name + ": found " + std::to_string(foreign.rows->n_rows()) + " rows, expected at most "
                    + std::to_string(RowOutputs::most_rows) + " together with " + own.part.name + ".");
}

SplitData numbered_rows(const OutputsAtHand::Part& own)
{
    SplitData data;
    data.training.name          = own.name;
    data.training.n_features    = 1;
    data.training.feature_names = {"row"};
    data.training.class_names   = own.class_names;
    data.training.target_name   = "class";
    data.test                   = data.training;
    data.test.n_rows            = own.n;
    data.test.labels            = own.labels;
    data.test.inputs.reserve(own.n);
    for (std::size_t i = 0; i < own.n; ++i)
        data.test.inputs.push_back(static_cast<double>(i));
    data.inputs      = Standardiser::identity(1);
    data.test_inputs = data.inputs.standardised(data.test.inputs);
    if (own.images)
        data.image = ImageShape{static_cast<int>(own.images->channels), static_cast<int>(own.images->height),
                                static_cast<int>(own.images->width)};
    return data;
}

}   // namespace

RunSnapshot moment_of_outputs(const OutputsFile& own, const std::optional<OutputsFile>& foreign)
{
    auto rows    = own.rows;
    auto at_hand = std::make_shared<OutputsAtHand>(OutputsAtHand{own.part, {}, own.numbers});
    if (foreign) {
        require_same_kind(own, *foreign);
        at_hand->other = foreign->part;
        rows           = std::make_shared<const JoinedOutputs>(own.rows, foreign->rows);
    }

    auto experiment                      = std::make_shared<Experiment>();
    experiment->study.name               = own.part.name;
    experiment->study.data.source        = DataSource::csv;   // distinct from every Study of Credence
    experiment->study.data.file          = own.part.name;
    experiment->study.prediction.samples = rows->n_draws();
    if (rows->n_draws() == 1)
        experiment->study.posterior.family = "point_estimate";
    experiment->data               = std::make_shared<const SplitData>(numbered_rows(own.part));
    experiment->model.likelihood   = {LikelihoodKind::softmax};
    experiment->model.architecture = {1, {Dense{rows->n_classes()}}, {}};   // placeholder for the unknown network
    const auto layout              = layout_of(experiment->model.architecture);
    experiment->start              = method_of(experiment->study)
                            .start(layout, experiment->study.posterior,
                                   initial_weights(layout, Initialisation::he, experiment->study.seed));
    experiment->outputs = std::move(at_hand);

    auto snapshot       = std::make_shared<Snapshot>();
    snapshot->posterior = std::make_shared<const OutputsPosterior>(layout, std::move(rows));
    return {std::move(experiment), std::move(snapshot), std::make_shared<const TrainingHistory>()};
}

}   // namespace credence
