// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/recalibration_fit.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/statistics.h"
#include "runs/derived_runs.h"
#include "runs/result_cache.h"
#include "views/view_support.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace credence {
namespace {

/// Maximum number of values [S × rows × K] in a fit: 160 MB of class samples.
constexpr std::size_t most_values_of_a_fit = 20'000'000;

view_support::ScoredSet set_of_fit(const Experiment& experiment)
{
    auto set = view_support::calibration_set(experiment);
    if (!set)
        throw Error("prediction.recalibration",
                    "Recalibration needs rows that are set aside, but this run has none: expected "
                    "split.calibration_fraction above 0, or validation images, and a new run.");
    return *set;
}

/// Returns the rows of the set that the fit uses.
std::vector<std::size_t> rows_of_fit(const RunSnapshot& run, const view_support::ScoredSet& set)
{
    const auto predictive = view_support::unrecalibrated_predictive_of(run, {});
    const auto values     = static_cast<std::size_t>(predictive.n_samples())
                        * static_cast<std::size_t>(predictive.n_outputs());
    const auto all = view_support::calibration_rows_for(view_support::CalibrationUse::recalibration, *run.experiment,
                                                        set.data->n_rows);
    auto rows      = evenly_spaced(all.size(), std::min(all.size(), most_values_of_a_fit / values + 1));
    for (auto& row : rows)
        row = all[row];
    return rows;
}

std::vector<float> inputs_of_fit(const view_support::ScoredSet& set, std::span<const std::size_t> rows)
{
    const auto d = set.data->n_features;
    std::vector<float> inputs;
    inputs.reserve(rows.size() * d);
    for (const auto row : rows) {
        const auto input = set.inputs.subspan(row * d, d);
        inputs.insert(inputs.end(), input.begin(), input.end());
    }
    return inputs;
}

/// @param outputs  of one target
CalibrationSamples numbers_of_fit(const Experiment& experiment, const view_support::ScoredSet& set,
                                  std::span<const std::size_t> rows, const OutputSamples& outputs)
{
    const auto& data = *experiment.data;
    CalibrationSamples out{.n_rows = rows.size(), .n_all = set.data->n_rows};
    out.numbers = regression_samples(view_of(outputs), experiment.model.likelihood, data.target_mean, data.target_sd);
    for (const auto row : rows)
        out.targets.push_back(set.data->targets[row]);
    return out;
}

/// Fits each target of a run with several, from one set of samples. The results equal those from
/// the samples of each target alone.
/// @return  null: `stop` was requested
std::shared_ptr<const std::vector<Recalibration>> fits_of_all_targets(const RunSnapshot& run, RecalibrationKind kind,
                                                                      const std::stop_token& stop)
{
    const auto predictive = view_support::unrecalibrated_predictive_of(run, {});
    auto fits             = std::make_shared<std::vector<Recalibration>>();
    std::vector<std::size_t> rows;
    OutputSamples outputs;
    for (std::size_t target = 0; target < run.experiment->data->training.n_targets(); ++target) {
        const auto one = run_of_target(run, target);
        const auto set = set_of_fit(*one.experiment);
        if (auto own = rows_of_fit(one, set); target == 0 || own != rows) {
            rows    = std::move(own);
            outputs = predictive.sample_outputs(inputs_of_fit(set, rows), static_cast<int>(rows.size()), stop);
        }
        if (stop.stop_requested())
            return nullptr;
        fits->push_back(
            fit_recalibration(kind, numbers_of_fit(*one.experiment, set, rows, outputs_of_target(outputs, target))));
    }
    return fits;
}

/// Returns the run with all targets that contains this target, unless their samples need too much
/// memory together; else empty.
std::optional<RunSnapshot> run_of_all_targets(const RunSnapshot& run)
{
    constexpr std::size_t most_values = 4 * most_values_of_a_fit;
    RunSnapshot whole                 = run;
    whole.experiment                  = run.experiment->all_targets.lock();
    if (!whole.experiment)
        return {};
    const auto predictive = view_support::unrecalibrated_predictive_of(whole, {});
    const auto values     = static_cast<std::size_t>(predictive.n_samples())
                        * static_cast<std::size_t>(predictive.n_outputs())
                        * rows_of_fit(run, set_of_fit(*run.experiment)).size();
    return values <= most_values ? std::optional(whole) : std::nullopt;
}

}   // namespace

OutputSamples outputs_of_target(const OutputSamples& outputs, std::size_t target)
{
    const auto T = static_cast<std::size_t>(outputs.n_outputs) / 2, n = outputs.values.size() / (2 * T);
    OutputSamples own{outputs.n_samples, outputs.n_inputs, 2, std::vector<float>(2 * n)};
    for (std::size_t i = 0; i < n; ++i)
        std::copy_n(outputs.values.data() + 2 * (i * T + target), 2, own.values.data() + 2 * i);
    return own;
}

std::optional<CalibrationSamples> calibration_samples(const RunSnapshot& run, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto set         = set_of_fit(experiment);
    const auto rows        = rows_of_fit(run, set);
    const auto inputs      = inputs_of_fit(set, rows);
    const auto predictive  = view_support::unrecalibrated_predictive_of(run, {});
    const int n            = static_cast<int>(rows.size());
    if (experiment.task() == Task::classification) {
        CalibrationSamples out{.n_rows = rows.size(), .n_all = set.data->n_rows};
        out.classes = predictive.sample_classes(inputs, n, stop);
        for (const auto row : rows)
            out.labels.push_back(set.data->labels[row]);
        return stop.stop_requested() ? std::nullopt : std::optional(std::move(out));
    }
    const auto outputs = predictive.sample_outputs(inputs, n, stop);
    if (stop.stop_requested())
        return {};
    return numbers_of_fit(experiment, set, rows, outputs);
}

Recalibration fit_recalibration(RecalibrationKind kind, const CalibrationSamples& samples)
{
    switch (kind) {
    case RecalibrationKind::none: break;
    case RecalibrationKind::temperature: return fit_temperature(samples.classes, samples.labels);
    case RecalibrationKind::vector: return fit_vector_scaling(samples.classes, samples.labels);
    case RecalibrationKind::sigma: return fit_sigma_scaling(samples.numbers, samples.targets);
    case RecalibrationKind::cdf: return fit_cdf(samples.numbers, samples.targets);
    }
    return {};
}

std::shared_ptr<const Recalibration> recalibration_of(const RunSnapshot& run, const std::stop_token& stop)
{
    static const auto none = std::make_shared<const Recalibration>();
    const auto kind        = run.experiment->study.prediction.recalibration;
    if (kind == RecalibrationKind::none || run.experiment->outputs)
        return none;
    static ResultCache<SnapshotKey<>, Recalibration> memory(16);
    static ResultCache<SnapshotKey<>, std::vector<Recalibration>> of_targets(16);
    return memory.find_or_make({run}, stop, [&]() -> std::shared_ptr<const Recalibration> {
        require_recalibration_of(kind, run.experiment->task());
        if (const auto whole = run_of_all_targets(run)) {
            const auto fits = of_targets.find_or_make({*whole}, stop,
                                                      [&] { return fits_of_all_targets(*whole, kind, stop); });
            return fits ? std::shared_ptr<const Recalibration>(fits, &fits->at(run.experiment->target)) : nullptr;
        }
        const auto samples = calibration_samples(run, stop);
        return samples ? std::make_shared<const Recalibration>(fit_recalibration(kind, *samples)) : nullptr;
    });
}

RecalibrationSource recalibration_source(const RunSnapshot& run)
{
    if (run.experiment->study.prediction.recalibration == RecalibrationKind::none || run.experiment->outputs)
        return {};
    return [run](const std::stop_token& stop) { return recalibration_of(run, stop); };
}

std::string recalibration_text(const Recalibration& recalibration)
{
    switch (recalibration.kind) {
    case RecalibrationKind::none: break;
    case RecalibrationKind::temperature: return "temperature T = " + number_text(recalibration.temperature, 3);
    case RecalibrationKind::vector: return "vector scaling";
    case RecalibrationKind::sigma: return "σ × " + number_text(recalibration.factor, 3);
    case RecalibrationKind::cdf:
        return "σ × " + number_text(recalibration.factor, 3)
               + (recalibration.levels.is_identity()
                      ? " (the map of levels is the identity)"
                      : " and a map of levels with " + std::to_string(recalibration.levels.n_segments()) + " segments");
    }
    return "no recalibration";
}

}   // namespace credence
