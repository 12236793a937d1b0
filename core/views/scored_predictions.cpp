// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scored_predictions.h"

#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "prediction/recalibration.h"
#include "runs/other_data.h"
#include "runs/result_cache.h"
#include "views/classification_figures.h"
#include "views/recalibration_fit.h"
#include "views/view_support.h"

#include <algorithm>
#include <utility>

namespace credence {

namespace {

using Result = std::shared_ptr<const ScoredPredictions>;

enum class WhichRows { scored, final_test, calibration, ood };

using Key = SnapshotKey<WhichRows, int, int>;   // with samples and rows

ResultCache<Key, ScoredPredictions>& memory()
{
    static ResultCache<Key, ScoredPredictions> memory(6);
    return memory;
}

struct InputRows {
    std::span<const float> inputs;   ///< [n × d]
    std::span<const int> labels;     ///< can be empty
    std::size_t n = 0;
    std::string name;
};

Result predict(const RunSnapshot& run, const ViewOptions& options, const InputRows& source, const std::stop_token& stop)
{
    const auto& study   = run.experiment->study;
    const std::size_t d = run.experiment->data->training.n_features;
    auto out            = std::make_shared<ScoredPredictions>();
    out->level          = study.prediction.level;
    out->n_all          = source.n;
    out->name           = source.name;
    std::vector<double> levels{out->level};
    for (const double level : published_levels)
        if (level != out->level)
            levels.push_back(level);
    for (const auto row : evenly_spaced(source.n, options.rows > 0 ? static_cast<std::size_t>(options.rows) : source.n))
        out->rows.push_back(static_cast<std::uint32_t>(row));
    const std::size_t n = out->rows.size();
    for (const auto row : out->rows)
        if (!source.labels.empty())
            out->labels.push_back(source.labels[row]);
    std::vector<float> some;
    auto inputs = source.inputs;
    if (n < source.n) {
        out->name += ", " + std::to_string(n) + " of " + std::to_string(source.n);
        some.reserve(n * d);
        for (const auto row : out->rows)
            some.insert(some.end(), inputs.begin() + static_cast<std::ptrdiff_t>(row * d),
                        inputs.begin() + static_cast<std::ptrdiff_t>((row + 1) * d));
        inputs = some;
    }
    const Stopwatch watch;
    auto set = set_predictions(view_support::predictive_of(run, options), inputs, static_cast<int>(d), levels, stop);
    if (!set)
        return nullptr;
    out->set     = std::move(*set);
    out->seconds = watch.seconds();
    return out;
}

Key key_of(const RunSnapshot& run, const ViewOptions& options, WhichRows which)
{
    return {run, which, view_support::predictive_of(run, options).n_samples(), options.rows};
}

Result predict(const RunSnapshot& run, const ViewOptions& options, const view_support::ScoredSet& set,
               const std::stop_token& stop)
{
    return predict(run, options, InputRows{set.inputs, set.data->labels, set.data->n_rows, set.name}, stop);
}

}   // namespace

Result scored_predictions(const RunSnapshot& run, const ViewOptions& options, std::stop_token stop)
{
    return memory().find_or_make(key_of(run, options, WhichRows::scored), stop, [&] {
        return predict(run, options, view_support::scored_set(*run.experiment), stop);
    });
}

Result cached_scored_predictions(const RunSnapshot& run, const ViewOptions& options)
{
    return memory().find(key_of(run, options, WhichRows::scored));
}

Result final_test_predictions(const RunSnapshot& run, const ViewOptions& options, std::stop_token stop)
{
    return memory().find_or_make(key_of(run, options, WhichRows::final_test), stop, [&] {
        return predict(run, options, view_support::final_test_set(*run.experiment).value(), stop);
    });
}

Result calibration_predictions(const RunSnapshot& run, const ViewOptions& options, std::stop_token stop)
{
    const auto set = view_support::calibration_set(*run.experiment);
    if (!set)
        return nullptr;
    if (set->data == view_support::scored_set(*run.experiment).data)   // validation images
        return scored_predictions(run, options, stop);
    return memory().find_or_make(key_of(run, options, WhichRows::calibration), stop,
                                 [&] { return predict(run, options, *set, stop); });
}

Result ood_predictions(const RunSnapshot& run, const ViewOptions& options, std::stop_token stop)
{
    return memory().find_or_make(key_of(run, options, WhichRows::ood), stop, [&] {
        const auto other = other_data(run.experiment);
        return predict(run, options, InputRows{other->inputs, {}, other->n, other->name}, stop);
    });
}

Chart on_rows(Chart chart, const RunSnapshot& run, const ScoredPredictions& scored)
{
    chart.caption += " Rows: the " + scored.name + ".";
    if (run.experiment->study.prediction.recalibration != RecalibrationKind::none)
        chart.caption += " Recalibrated.";
    return view_support::with_setting(std::move(chart), run, scored.set.n_samples);
}

namespace {

/// Identifies the outputs of all targets of a run: part of its data, rows at once, samples, rows.
using SharedOutputsKey = SnapshotKey<std::size_t, std::size_t, int, std::vector<std::size_t>>;

using OutputBlocks = std::vector<OutputSamples>;

/// Calls use(outputs, first) for each block of rows. @return  false: stopped
template <class Use>
bool sample_blocks(const PosteriorPredictive& predictive, std::size_t d, std::span<const float> inputs,
                   std::span<const std::size_t> rows, std::size_t at_once, const std::stop_token& stop, Use use)
{
    const std::size_t n = rows.size();
    for (std::size_t first = 0; first < n; first += at_once) {
        const std::size_t end = std::min(first + at_once, n);
        const ProgressScope of_block(static_cast<double>(first) / static_cast<double>(n),
                                     static_cast<double>(end) / static_cast<double>(n));
        aligned_vector<float> block;
        block.reserve((end - first) * d);
        for (std::size_t i = first; i < end; ++i) {
            const auto input = inputs.subspan(rows[i] * d, d);
            block.insert(block.end(), input.begin(), input.end());
        }
        auto outputs = predictive.sample_outputs(block, static_cast<int>(end - first), stop);
        if (stop.stop_requested() || !use(std::move(outputs), first))
            return false;
    }
    return true;
}

/// The number of the part of the data that has these inputs; empty: none has.
std::optional<std::size_t> part_with(const SplitData& data, std::span<const float> inputs)
{
    std::size_t part = 0;
    for (const auto* each :
         {&data.training_inputs, &data.test_inputs, &data.final_test_inputs, &data.calibration_inputs}) {
        if (each->data() == inputs.data())
            return part;
        ++part;
    }
    return {};
}

/// The outputs that one target of a run shares with the others. @param all  the whole run
std::shared_ptr<const OutputBlocks> shared_outputs(const RunSnapshot& all, const ViewOptions& options, std::size_t part,
                                                   std::span<const float> inputs, std::span<const std::size_t> rows,
                                                   std::size_t at_once, const std::stop_token& stop)
{
    static ResultCache<SharedOutputsKey, OutputBlocks> memory(2);
    const auto predictive = view_support::unrecalibrated_predictive_of(all, options);
    const SharedOutputsKey key{all, part, at_once, predictive.n_samples(), {rows.begin(), rows.end()}};
    return memory.find_or_make(key, stop, [&]() -> std::shared_ptr<const OutputBlocks> {
        auto blocks    = std::make_shared<OutputBlocks>();
        const auto add = [&](OutputSamples outputs, std::size_t) {
            blocks->push_back(std::move(outputs));
            return true;
        };
        const bool done = sample_blocks(predictive, all.experiment->data->training.n_features, inputs, rows, at_once,
                                        stop, add);
        return done ? blocks : nullptr;
    });
}

}   // namespace

bool stream_numbers(const RunSnapshot& run, const ViewOptions& options, std::span<const float> inputs,
                    std::span<const std::size_t> rows, const std::stop_token& stop,
                    const std::function<void(const RegressionSamples&, std::size_t)>& use, std::size_t at_once)
{
    constexpr std::size_t most_shared = 16'000'000;   // floats, 64 MB
    const auto& experiment            = *run.experiment;
    const auto& data                  = *experiment.data;
    const auto predictive             = view_support::predictive_of(run, options);
    RunSnapshot all                   = run;
    all.experiment                    = experiment.all_targets.lock();
    const auto part                   = part_with(data, inputs);
    const std::size_t values          = 2 * experiment.target_of * rows.size()
                               * static_cast<std::size_t>(predictive.n_samples());
    if (all.experiment && !experiment.outputs && part && values <= most_shared) {
        const auto blocks = shared_outputs(all, options, *part, inputs, rows, at_once, stop);
        for (std::size_t block = 0; blocks && block < blocks->size(); ++block) {
            const auto samples = samples_of_target(run, (*blocks)[block], experiment.target, stop);
            if (!samples)
                return false;
            use(*samples, block * at_once);
        }
        return blocks != nullptr;
    }
    const auto add = [&](const OutputSamples& outputs, std::size_t first) {
        use(regression_samples(view_of(outputs), experiment.model.likelihood, data.target_mean, data.target_sd), first);
        return true;
    };
    return sample_blocks(predictive, data.training.n_features, inputs, rows, at_once, stop, add);
}

std::vector<Column> certainty_columns()
{
    return {{"Confidence", "", 4},
            {"Predictive entropy", "nats", 4},
            {"Epistemic part", "nats", 4},
            {"Certain by (i)"},
            {"Certain by (ii)"}};
}

std::optional<RegressionSamples> samples_of_target(const RunSnapshot& one, const OutputSamples& outputs,
                                                   std::size_t target, const std::stop_token& stop)
{
    const auto recalibration = recalibration_of(one, stop);
    if (!recalibration)
        return {};
    auto own = outputs_of_target(outputs, target);
    recalibrate_numbers(*recalibration, own);
    const auto& data = *one.experiment->data;
    return regression_samples(view_of(own), one.experiment->model.likelihood, data.target_mean, data.target_sd);
}

}   // namespace credence
