// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/outputs_file.h"

#include "foundation/error.h"
#include "posterior/outputs_posterior.h"
#include "study/method.h"

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

constexpr const char* arrays_of_outputs[] = {"probabilities", "logits", "labels",   "class_names",
                                             "images",        "inputs", "mean",     "variance",
                                             "covariance",    "chain",  "iteration"};
constexpr std::size_t most_image_bytes = std::size_t{1} << 30, most_inputs = std::size_t{1} << 26,
                      pixels_at_once = 1 << 18;

/// Converts numbers to bytes. @param of  returns a number of the array by its index
template <class Of>
std::vector<std::uint8_t> stretched(std::size_t n, Of of, const std::string& name)
{
    float low = 0, high = 0;
    of([&](std::size_t first, std::span<const float> values) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!std::isfinite(values[i]))
                throw Error(name + ": number " + std::to_string(first + i) + " is not finite, expected pixels.");
            low  = std::min(low, values[i]);
            high = std::max(high, values[i]);
        }
    });
    const bool whole   = low >= 0 && high <= 255;
    const double scale = !whole ? 255.0 / (static_cast<double>(high) - low) : high <= 1 ? 255.0 : 1.0;
    std::vector<std::uint8_t> bytes(n);
    of([&](std::size_t first, std::span<const float> values) {
        for (std::size_t i = 0; i < values.size(); ++i)
            bytes[first + i] = static_cast<std::uint8_t>(
                std::clamp(std::lround((values[i] - (whole ? 0.0 : static_cast<double>(low))) * scale), 0L, 255L));
    });
    return bytes;
}

std::shared_ptr<const ImageSet> images_of(NpyStream stream, const ImportedOutputs::Part& part)
{
    const std::string& name = stream.name();
    if (stream.text())
        throw Error(name + ": found strings, expected pixels.");
    if (stream.shape().empty() || stream.shape()[0] != part.n)
        throw Error(name + ": found the shape " + shape_text(stream.shape()) + ", expected " + std::to_string(part.n)
                    + " images, one for each row.");
    if (stream.size() > most_image_bytes)
        throw Error(name + ": found " + std::to_string(stream.size()) + " pixels, expected at most "
                    + std::to_string(most_image_bytes) + ". Save smaller images, or leave them out.");
    NumberArray pixels{stream.shape(), {}};
    require_image_shape(name, std::vector<std::uint8_t>(), pixels.shape, part.n);
    if (stream.bytes()) {
        pixels = stream.numbers();
    } else if (stream.fortran()) {
        const NumberArray all = stream.numbers();
        pixels.values         = stretched(
                    all.size(),
                    [&](const auto& use) {
            for (std::size_t i = 0; i < all.size(); ++i) {
                const auto one = static_cast<float>(all.at(i));
                use(i, std::span(&one, 1));
            }
            },
                    name);
    } else {
        std::vector<float> some(pixels_at_once);
        pixels.values = stretched(
            stream.size(),
            [&](const auto& use) {
            for (std::size_t first = 0; first < stream.size(); first += pixels_at_once) {
                const auto values = std::span(some).first(std::min(pixels_at_once, stream.size() - first));
                stream.read(first, values);
                use(first, std::span<const float>(values));
            }
            },
            name);
    }
    auto labels = part.labels.empty() ? std::vector<int>(part.n, 0) : part.labels;
    return std::make_shared<const ImageSet>(
        make_image_set(part.name, std::move(pixels), std::move(labels), part.class_names));
}

void read_inputs(NpyStream stream, ImportedOutputs::Part& part)
{
    const auto& shape = stream.shape();
    if (stream.text() || shape.empty() || shape.size() > 2 || shape[0] != part.n || stream.size() == 0)
        throw Error(stream.name() + ": "
                    + (stream.text() ? std::string("found strings") : "found the shape " + shape_text(shape))
                    + ", expected numbers [" + std::to_string(part.n) + " × d], one row for each row of the outputs.");
    if (stream.size() > most_inputs)
        throw Error(stream.name() + ": found " + std::to_string(stream.size()) + " numbers, expected at most "
                    + std::to_string(most_inputs) + ".");
    part.n_inputs         = stream.size() / part.n;
    const NumberArray all = stream.numbers();
    part.inputs.reserve(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        part.inputs.push_back(all.at(i));
        if (!std::isfinite(part.inputs.back()))
            throw Error(stream.name() + ": row " + std::to_string(i / part.n_inputs) + ", column "
                        + std::to_string(i % part.n_inputs) + " is not finite, expected a number.");
    }
}

/// Reads labels, names, images and inputs. False: stopped.
bool read_other_arrays(const ArrayFiles& files, OutputsFile& out, const std::stop_token& stop)
{
    auto& part       = out.part;
    part.name        = files.name;
    part.n           = out.rows->n_rows();
    const int K      = out.rows->n_classes();
    part.class_names = numbers_as_names(K);
    const auto with  = [&](const char* array, const auto& use) {
        if (!files.has(array))
            return true;
        auto source = files.open(array, true, stop);
        if (source)
            use(NpyStream(std::move(source)));
        return !stop.stop_requested();
    };
    return with(
               "labels",
               [&](NpyStream labels) {
        part.labels = labels_of_rows(files.name, std::move(labels), part.n, K, "the outputs");
               })
        && with("class_names",
                [&](NpyStream names) { part.class_names = names_of_classes(files.name, std::move(names), K); })
        && with("images", [&](NpyStream images) { part.images = images_of(std::move(images), part); })
        && with("inputs", [&](NpyStream inputs) { read_inputs(std::move(inputs), part); });
}

/// @param gaussians  opens the same file as Gaussians over logits; null if stopped
template <class Gaussians>
std::optional<OutputsFile> opened(const ArrayFiles& files, Gaussians gaussians, const std::stop_token& stop)
{
    OutputsFile out;
    if (files.has("probabilities") || files.has("logits") || !files.has("mean")) {
        if (!files.has("probabilities") && !files.has("logits"))
            throw Error(files.name
                        + ": found no array “probabilities”, “logits” or “mean”, expected one of them; the arrays are "
                        + files.list() + ".");
        const auto draws = DrawsArray::open(files, stop);
        if (!draws)
            return {};
        out.rows      = draws;
        out.part.note = draws->note();
        out.numbers   = DrawsArray::arrays[static_cast<std::size_t>(draws->kind())];
    } else {
        auto file = gaussians();
        if (!file)
            return {};
        out.rows    = std::make_shared<const GaussianOutputs>(std::move(file));
        out.numbers = "Gaussians over logits";
    }
    const auto note = [&](const std::string& sentence) {
        out.part.note += (out.part.note.empty() || sentence.empty() ? "" : " ") + sentence;
    };
    if (files.has("chain"))
        note(files.name
             + ": the arrays “chain” and “iteration” are not read, so R̂ and ESS of these samples are not shown. They "
               "are shown for the run itself.");
    note(files.note_on_others(arrays_of_outputs));
    if (!read_other_arrays(files, out, stop))
        return {};
    return out;
}

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

void require_same_kind(const OutputsFile& own, const OutputsFile& ood)
{
    if (ood.rows->n_classes() != own.rows->n_classes())
        throw Error(ood.part.name + ": found " + std::to_string(ood.rows->n_classes()) + " classes, expected "
                    + std::to_string(own.rows->n_classes()) + " as in " + own.part.name
                    + ": OOD outputs must come from the same network.");
    if (ood.rows->n_draws() != own.rows->n_draws())
        throw Error(ood.part.name + ": found " + std::to_string(ood.rows->n_draws()) + " samples, expected "
                    + std::to_string(own.rows->n_draws()) + " as in " + own.part.name + ".");
    if (ood.rows->n_rows() + own.rows->n_rows() > RowOutputs::most_rows)
        throw Error(ood.part.name + ": found " + std::to_string(ood.rows->n_rows()) + " rows, expected at most "
                    + std::to_string(RowOutputs::most_rows) + " together with " + own.part.name + ".");
}

SplitData numbered_rows(const ImportedOutputs::Part& own)
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

std::optional<OutputsFile> open_outputs(const std::filesystem::path& file, std::stop_token stop)
{
    return opened(
        array_files(file, arrays_of_outputs), [&] { return LogitsFile::open(file, stop); }, stop);
}

std::optional<std::filesystem::path> outputs_in_folder(const std::filesystem::path& folder)
{
    std::error_code ignored;
    for (const char* array : {"probabilities.npy", "logits.npy", "mean.npy"})
        if (std::filesystem::is_regular_file(folder / array, ignored))
            return folder / array;
    return {};
}

bool is_logits_file(const std::filesystem::path& file)
{
    const auto files = array_files(file, arrays_of_outputs);
    return files.has("mean") && !files.has("probabilities") && !files.has("logits") && !files.has("images")
           && !files.has("inputs");
}

OutputsFile open_outputs(std::string name, std::span<const std::uint8_t> npz)
{
    const auto files = array_files(name, npz);
    return *opened(files, [&] { return LogitsFile::open(std::move(name), npz); }, {});
}

RunSnapshot snapshot_of_outputs(const OutputsFile& own, const std::optional<OutputsFile>& ood)
{
    auto rows     = own.rows;
    auto imported = std::make_shared<ImportedOutputs>(ImportedOutputs{own.part, {}, own.numbers});
    if (ood) {
        require_same_kind(own, *ood);
        imported->other = ood->part;
        rows            = std::make_shared<const JoinedOutputs>(own.rows, ood->rows);
    }

    auto experiment                      = std::make_shared<Experiment>();
    experiment->study.name               = own.part.name;
    experiment->study.data.source        = DataSource::csv;   // distinct from every Study of Credence
    experiment->study.data.file          = own.part.name;
    experiment->study.prediction.samples = rows->n_draws();
    if (rows->n_draws() == 1)
        experiment->study.posterior.family = "point_estimate";
    experiment->data               = std::make_shared<const SplitData>(numbered_rows(own.part));
    experiment->model.likelihood   = Likelihood::categorical();
    experiment->model.architecture = {1, {Dense{rows->n_classes()}}, {}};   // placeholder for the unknown network
    const auto layout              = layout_of(experiment->model.architecture);
    experiment->start              = method_of(experiment->study)
                            .start(layout, experiment->study.posterior,
                                   initial_weights(layout, Initialisation::he, experiment->study.seed));
    experiment->outputs = std::move(imported);

    auto snapshot       = std::make_shared<Snapshot>();
    snapshot->posterior = std::make_shared<const OutputsPosterior>(layout, std::move(rows));
    return {std::move(experiment), std::move(snapshot), std::make_shared<const TrainingHistory>()};
}

}   // namespace credence
