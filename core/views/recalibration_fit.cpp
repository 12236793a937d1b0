// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/recalibration_fit.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/statistics.h"
#include "runs/kept_results.h"
#include "views/view_support.h"

#include <algorithm>

namespace credence {
namespace {

/// Numbers [S × rows × K] that a fit holds: 160 MB of class samples.
constexpr std::size_t most_values_of_a_fit = 20'000'000;

struct RecalibrationKey {
    WeakSnapshot run;
    bool gone() const { return run.gone(); }
    bool operator==(const RecalibrationKey&) const = default;
};

}   // namespace

std::optional<CalibrationSamples> calibration_samples(const RunSnapshot& run, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto set         = view_support::calibration_set(experiment);
    if (!set)
        throw Error("prediction.recalibration",
                    "Recalibration needs rows that are set aside, but this run has none: expected "
                    "split.calibration_fraction above 0, or validation images, and a new run.");
    const auto predictive = view_support::unrecalibrated_predictive_of(run, {});
    const auto d          = set->data->n_features;
    const auto values     = static_cast<std::size_t>(predictive.n_samples())
                        * static_cast<std::size_t>(predictive.n_outputs());
    const auto all = view_support::calibration_rows_for(view_support::CalibrationUse::recalibration, experiment,
                                                        set->data->n_rows);
    auto rows      = evenly_spaced(all.size(), std::min(all.size(), most_values_of_a_fit / values + 1));
    for (auto& row : rows)
        row = all[row];
    CalibrationSamples out{.n_rows = rows.size(), .n_all = set->data->n_rows};
    std::vector<float> inputs;
    inputs.reserve(rows.size() * d);
    for (const auto row : rows) {
        const auto input = set->inputs.subspan(row * d, d);
        inputs.insert(inputs.end(), input.begin(), input.end());
    }
    const int n = static_cast<int>(rows.size());
    if (experiment.task() == Task::classification) {
        out.classes = predictive.sample_classes(inputs, n, stop);
        for (const auto row : rows)
            out.labels.push_back(set->data->labels[row]);
        return stop.stop_requested() ? std::nullopt : std::optional(std::move(out));
    }
    const auto outputs = predictive.sample_outputs(inputs, n, stop);
    if (stop.stop_requested())
        return {};
    const auto& data = *experiment.data;
    out.numbers = regression_samples(view_of(outputs), experiment.model.likelihood, data.target_mean, data.target_sd);
    for (const auto row : rows)
        out.targets.push_back(set->data->targets[row]);
    return out;
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
    static KeptResults<RecalibrationKey, Recalibration> memory(16);
    return memory.find_or_make({run}, stop, [&]() -> std::shared_ptr<const Recalibration> {
        require_recalibration_of(kind, run.experiment->task());
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
