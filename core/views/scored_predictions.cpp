// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scored_predictions.h"

#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "prediction/recalibration.h"
#include "runs/kept_results.h"
#include "runs/other_data.h"
#include "views/classification_figures.h"
#include "views/recalibration_fit.h"
#include "views/view_support.h"

#include <algorithm>

namespace credence {

namespace {

using Result = std::shared_ptr<const ScoredPredictions>;

enum class WhichRows { scored, final_test, calibration, ood };

/// Identifies predictions by snapshot, inputs and number.
struct Key {
    WeakSnapshot run;
    WhichRows which = WhichRows::scored;
    int samples = 0, rows = 0;

    bool gone() const { return run.gone(); }
    bool operator==(const Key&) const = default;
};

KeptResults<Key, ScoredPredictions>& memory()
{
    static KeptResults<Key, ScoredPredictions> memory(6);
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

Result scored_predictions_at_hand(const RunSnapshot& run, const ViewOptions& options)
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

bool stream_numbers(const Experiment& experiment, const PosteriorPredictive& predictive, std::span<const float> inputs,
                    std::span<const std::size_t> rows, const std::stop_token& stop,
                    const std::function<void(const RegressionSamples&, std::size_t)>& use, std::size_t at_once)
{
    const auto& data    = *experiment.data;
    const std::size_t d = data.training.n_features, n = rows.size();
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
        const auto outputs = predictive.sample_outputs(block, static_cast<int>(end - first), stop);
        if (stop.stop_requested())
            return false;
        use(regression_samples(view_of(outputs), experiment.model.likelihood, data.target_mean, data.target_sd), first);
    }
    return true;
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
    const auto T = static_cast<std::size_t>(outputs.n_outputs) / 2, n = outputs.values.size() / (2 * T);
    OutputSamples own{outputs.n_samples, outputs.n_inputs, 2, std::vector<float>(2 * n)};
    for (std::size_t i = 0; i < n; ++i)
        std::copy_n(outputs.values.data() + 2 * (i * T + target), 2, own.values.data() + 2 * i);
    recalibrate_numbers(*recalibration, own);
    const auto& data = *one.experiment->data;
    return regression_samples(view_of(own), one.experiment->model.likelihood, data.target_mean, data.target_sd);
}

}   // namespace credence
