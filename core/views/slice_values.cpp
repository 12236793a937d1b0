// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/slice.h"

#include "foundation/enum_names.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "prediction/class_predictions.h"
#include "runs/experiment.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

constexpr EnumNames<SliceHold, 3> slice_holds{
    {{SliceHold::row, "row"}, {SliceHold::median, "median"}, {SliceHold::average, "average"}}};
constexpr EnumNames<SliceQuantity, 4> slice_quantities{{{SliceQuantity::prediction, "prediction"},
                                                        {SliceQuantity::total, "total"},
                                                        {SliceQuantity::epistemic, "epistemic"},
                                                        {SliceQuantity::aleatoric, "aleatoric"}}};

constexpr EnumNames<SliceScale, 3> slice_scales{
    {{SliceScale::automatic, "automatic"}, {SliceScale::linear, "linear"}, {SliceScale::logarithmic, "logarithmic"}}};

constexpr std::size_t slice_values_at_once = 2'000'000;   ///< sampled outputs in memory

/// Predictions at some rows of one block, with the samples of the drawn number.
struct BlockPredictions {
    RegressionSamples samples;   ///< f, or the probability of the class
    std::vector<double> mean, total, epistemic, aleatoric;
};

BlockPredictions numeric_block(const OutputSamples& outputs, const Experiment& experiment)
{
    const auto& data = *experiment.data;
    BlockPredictions out{
        .samples = regression_samples(view_of(outputs), experiment.model.likelihood, data.target_mean, data.target_sd),
        .mean    = {},
        .total   = {},
        .epistemic = {},
        .aleatoric = {}};
    out.mean = mean_function(out.samples);
    for (int i = 0; i < out.samples.n_inputs; ++i) {
        const auto spread = spread_at(out.samples, out.mean[i], static_cast<std::size_t>(i));
        out.total.push_back(spread.y);
        out.epistemic.push_back(spread.function);
        out.aleatoric.push_back(spread.noise);
    }
    return out;
}

BlockPredictions class_block(const OutputSamples& outputs, int class_index)
{
    auto all = class_predictions(view_of(outputs));
    BlockPredictions out{.samples   = {.n_samples = outputs.n_samples, .n_inputs = outputs.n_inputs, .f = {}, .s = {}},
                         .mean      = {},
                         .total     = std::move(all.entropy),
                         .epistemic = std::move(all.mutual_information),
                         .aleatoric = std::move(all.expected_entropy)};
    for (int i = 0; i < outputs.n_inputs; ++i)
        out.mean.push_back(all.mean_of(i)[static_cast<std::size_t>(class_index)]);
    for (int draw = 0; draw < outputs.n_samples; ++draw)
        for (int i = 0; i < outputs.n_inputs; ++i)
            out.samples.f.push_back(outputs.at(draw, i, class_index));
    return out;
}

/// Adds the predictions of a block: some points, each at all held rows.
/// @param count  points of the block
void add_slice_block(SliceValues& values, const BlockPredictions& block, std::size_t first, std::size_t count,
                     std::size_t n_held)
{
    const auto share = 1 / static_cast<double>(n_held);
    const auto S     = static_cast<std::size_t>(block.samples.n_samples);
    const auto n     = static_cast<std::size_t>(values.samples.n_inputs);
    for (std::size_t p = 0; p < count; ++p) {
        for (std::size_t r = 0; r < n_held; ++r) {
            const std::size_t at = p * n_held + r;
            values.mean[first + p] += block.mean[at] * share;
            values.total[first + p] += block.total[at] * share;
            values.epistemic[first + p] += block.epistemic[at] * share;
            values.aleatoric[first + p] += block.aleatoric[at] * share;
            values.individual[r][first + p] = block.mean[at];
        }
        for (std::size_t s = 0; s < S && !values.samples.f.empty(); ++s) {
            const std::size_t row = s * count * n_held + p * n_held;
            double f = 0, squares = 0;
            for (std::size_t r = 0; r < n_held; ++r) {
                f += block.samples.f[row + r];
                if (!block.samples.s.empty())
                    squares += block.samples.s[row + r] * block.samples.s[row + r];
            }
            values.samples.f[s * n + first + p] = f * share;
            if (!block.samples.s.empty())
                values.samples.s[s * n + first + p] = std::sqrt(squares * share);
        }
    }
}

}   // namespace

SliceHold slice_hold_named(const std::string& wanted) { return slice_holds.value_of(wanted, "--hold"); }

SliceQuantity slice_quantity_named(const std::string& wanted)
{
    return slice_quantities.value_of(wanted, "--quantity");
}

SliceScale slice_scale_named(const std::string& wanted) { return slice_scales.value_of(wanted, "--slice-scale"); }

LogAxis log_axis_for(const Dataset& training, const InputGroup& input)
{
    constexpr std::size_t most_rows = 10'000;
    constexpr double spread = 100, skewness = 1;
    if (input.is_category() || training.n_rows == 0)
        return {};
    std::vector<double> values;
    for (const std::size_t i : evenly_spaced(training.n_rows, most_rows))
        values.push_back(training.row(i)[input.first]);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (!(*low > 0) || !(*low < *high))
        return {};
    const double mean = mean_of(values);
    double m2 = 0, m3 = 0;
    for (const double value : values) {
        m2 += (value - mean) * (value - mean);
        m3 += (value - mean) * (value - mean) * (value - mean);
    }
    const auto n = static_cast<double>(values.size());
    return {.possible = true, .proposed = *high >= spread * *low && m3 / n >= skewness * std::pow(m2 / n, 1.5)};
}

std::string title_of(SliceQuantity quantity, Task task)
{
    const bool classes = task == Task::classification;
    switch (quantity) {
    case SliceQuantity::prediction: return classes ? "Class probability" : "Mean";
    case SliceQuantity::total: return classes ? "Predictive entropy" : "Total standard deviation";
    case SliceQuantity::epistemic:
        return classes ? "Epistemic part (mutual information)" : "Epistemic standard deviation";
    case SliceQuantity::aleatoric:
        return classes ? "Aleatoric part (expected entropy)" : "Aleatoric standard deviation";
    }
    return {};
}

void SliceGrid::set(std::span<double> row, std::size_t point) const
{
    x.input.set(row, x.at[point % x.at.size()]);
    if (y)
        y->input.set(row, y->at[point / x.at.size()]);
}

const std::vector<double>& SliceValues::of(SliceQuantity quantity) const
{
    switch (quantity) {
    case SliceQuantity::prediction: return mean;
    case SliceQuantity::total: return total;
    case SliceQuantity::epistemic: return epistemic;
    case SliceQuantity::aleatoric: return aleatoric;
    }
    return mean;
}

std::optional<SliceValues> slice_values(const Experiment& experiment, const PosteriorPredictive& predictive,
                                        const SliceGrid& grid, const HeldInputs& held, int class_index,
                                        const std::stop_token& stop)
{
    const std::size_t n = grid.n(), d = experiment.data->training.n_features;
    const auto S       = static_cast<std::size_t>(predictive.n_samples());
    const bool classes = experiment.task() == Task::classification;
    SliceValues values;
    values.samples = {.n_samples = predictive.n_samples(), .n_inputs = static_cast<int>(n), .f = {}, .s = {}};
    if (!grid.y) {   // a map has many points, and needs no intervals
        values.samples.f.resize(S * n);
        values.samples.s.resize(S * n);   // 0 for classes
    }
    for (auto* each : {&values.mean, &values.total, &values.epistemic, &values.aleatoric})
        each->resize(n);
    values.individual.assign(held.n, std::vector<double>(n));
    const std::size_t block = std::max<std::size_t>(1, predictive.rows_at_once(slice_values_at_once) / held.n);
    std::vector<double> rows;
    for (std::size_t first = 0; first < n; first += block) {
        const std::size_t count = std::min(block, n - first);
        const ProgressScope of_block(static_cast<double>(first) / static_cast<double>(n),
                                     static_cast<double>(first + count) / static_cast<double>(n));
        rows.clear();
        for (std::size_t p = 0; p < count; ++p) {
            rows.insert(rows.end(), held.rows.begin(), held.rows.end());
            const auto point = std::span(rows).last(held.rows.size());
            for (std::size_t r = 0; r < held.n; ++r)
                grid.set(point.subspan(r * d, d), first + p);
        }
        const auto outputs = predictive.sample_outputs(view_support::standardised(experiment, rows),
                                                       static_cast<int>(count * held.n), stop);
        if (stop.stop_requested())
            return {};
        const auto of_rows   = classes ? class_block(outputs, class_index) : numeric_block(outputs, experiment);
        values.samples.noise = of_rows.samples.noise;
        add_slice_block(values, of_rows, first, count, held.n);
    }
    return values;
}

SlicePoints points_near_slice(const Dataset& data, std::vector<InputGroup> others, const std::vector<double>* point)
{
    constexpr std::size_t most_rows = 2000, most_far = 300;
    constexpr double near = 0.5, middle = 1;
    SlicePoints out;
    std::vector<std::size_t> far;
    const InputDistance distance(data, std::move(others));
    for (const std::size_t i : evenly_spaced(data.n_rows, most_rows)) {
        const double d = point ? distance(data.row(i), *point) : 2 * middle;
        (d <= near ? out.near : d <= middle ? out.middle : far).push_back(i);
    }
    for (const std::size_t i : evenly_spaced(far.size(), most_far))
        out.far.push_back(far[i]);
    return out;
}

}   // namespace credence
