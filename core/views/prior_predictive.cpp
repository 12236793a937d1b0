// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/density.h"
#include "foundation/error.h"
#include "foundation/progress.h"
#include "foundation/statistics.h"
#include "prediction/regression.h"
#include "study/method.h"
#include "views/decision_map.h"
#include "views/layers.h"
#include "views/probe_points.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

constexpr int most_prior_curves = 8;   // of single samples, in each panel
constexpr int bins_of_prior     = 40;

/// The prior as a distribution over weights. Its samples are on a stream that no posterior uses.
class PriorOfWeights final : public Posterior {
public:
    PriorOfWeights(const ParameterLayout& layout, Prior prior, std::uint32_t first)
        : Posterior(layout), prior_(std::move(prior)), first_(first), mean_(layout.size()), sd_(layout.size())
    {
        for (std::size_t b = 0; b < layout.blocks.size(); ++b)
            for (std::size_t i = layout.blocks[b].begin; i < layout.blocks[b].end(); ++i) {
                const double mean = prior_.means.empty() ? prior_mean(prior_.blocks[b]) : prior_.means[i];
                mean_[i]          = static_cast<float>(mean);
                sd_[i]            = static_cast<float>(prior_sd(prior_.blocks[b]));
            }
    }

    NoiseIn noise_in() const override { return NoiseIn::weights; }
    void draw(NoiseKey key, Draw<float>& out) const override
    {
        out.key = key;
        draw_from(prior_, layout_, {key.seed, Stream::prior_draws, first_ + key.index}, out.weights);
    }
    std::span<const float> means() const override { return mean_; }
    void moments(std::span<float> mean, std::span<float> sd) const override
    {
        std::copy(mean_.begin(), mean_.end(), mean.begin());
        std::copy(sd_.begin(), sd_.end(), sd.begin());
    }
    Covariance covariance() const override { return independent_of_moments(); }
    LayerUncertainty describe() const override { return {}; }
    std::span<const float> numbers() const override { return mean_; }

private:
    Prior prior_;
    std::uint32_t first_;   // index of the first sample
    aligned_vector<float> mean_, sd_;
};

/// The prior or the posterior, and how both are sampled.
struct PredictiveSide {
    std::string name;   ///< "Prior"
    Tone tone;
    Model model;
    std::shared_ptr<const Posterior> weights;
    int n_samples;
    std::uint64_t seed;

    PosteriorPredictive predictive() const { return {model, weights, n_samples, seed}; }
    /// Returns the distribution of the first sample alone.
    PosteriorPredictive first() const { return {model, weights, 1, seed}; }
};

std::array<PredictiveSide, 2> sides_of(const RunSnapshot& run, const ViewOptions& options)
{
    const auto& experiment = *run.experiment;
    const int n            = options.samples > 0 ? options.samples : experiment.study.prediction.samples;
    const auto first       = static_cast<std::uint32_t>(std::max(0, options.map.prior_set) * n);
    const auto& posterior  = run.snapshot->posterior;
    return {{{"Prior",
              {Tone::Kind::prior},
              model_of_weight_draws(experiment),
              std::make_shared<PriorOfWeights>(experiment.start->layout(), prior_at(run), first),
              n,
              experiment.study.seed},
             {"Posterior",
              {Tone::Kind::posterior},
              experiment.model,
              posterior,
              predictive_of(run, options).n_samples(),
              experiment.study.seed}}};
}

int displayed_class(const Experiment& experiment, const ViewOptions& options)
{
    return std::clamp(options.map.class_index, 0, static_cast<int>(experiment.data->training.n_classes()) - 1);
}

/// Samples of the function in the units of the target, or of the probability of a class.
RegressionSamples functions_at(const Experiment& experiment, const OutputSamples& outputs, int k)
{
    const auto& data = *experiment.data;
    if (experiment.task() == Task::regression)
        return regression_samples(view_of(outputs), experiment.model.likelihood, data.target_mean, data.target_sd);
    RegressionSamples samples{.n_samples = outputs.n_samples, .n_inputs = outputs.n_inputs, .f = {}, .s = {}};
    for (int s = 0; s < outputs.n_samples; ++s)
        for (int i = 0; i < outputs.n_inputs; ++i)
            samples.f.push_back(static_cast<double>(outputs.at(s, i, k)));
    return samples;
}

// One input: curves.

struct FunctionCurves {
    std::vector<double> mean, lower, upper;
    std::vector<std::vector<double>> functions;
};

FunctionCurves function_curves(const RegressionSamples& samples, double level, int n_functions)
{
    const std::array<double, 2> tails{(1 - level) / 2, (1 + level) / 2};
    auto bounds = function_quantiles(samples, tails);
    FunctionCurves out{
        .mean = mean_function(samples), .lower = std::move(bounds[0]), .upper = std::move(bounds[1]), .functions = {}};
    for (int s = 0; s < std::min(n_functions, samples.n_samples); ++s)
        out.functions.emplace_back(samples.f_of(s).begin(), samples.f_of(s).end());
    return out;
}

/// Returns a range for the data and the inner nine tenths of both bands, whose ends can be very
/// steep.
Range height_of_both(const std::array<FunctionCurves, 2>& curves, std::span<const double> targets)
{
    constexpr double tail = 0.1, margin = 0.05;
    Range out{INFINITY, -INFINITY};
    const auto add = [&](double y) { out = {std::min(out.first, y), std::max(out.second, y)}; };
    for (const auto& of_side : curves) {
        add(quantile(of_side.lower, tail));
        add(quantile(of_side.upper, 1 - tail));
    }
    for (const double y : targets)
        add(y);
    const double space = margin * std::max(out.second - out.first, 1e-9);
    return {out.first - space, out.second + space};
}

Panel curve_panel(const Experiment& experiment, const PredictiveSide& side, const std::vector<double>& x,
                  const FunctionCurves& curves, const std::string& level)
{
    const auto& training = experiment.data->training;
    Panel panel{.title = side.name, .x = {.label = training.feature_names[0], .range = Range{x.front(), x.back()}}};
    panel.series.push_back(Band{.name    = level + " interval",
                                .x       = x,
                                .lower   = curves.lower,
                                .upper   = curves.upper,
                                .tone    = side.tone,
                                .opacity = 0.2});
    for (const auto& f : curves.functions)
        panel.series.push_back(Line{.name    = &f == &curves.functions.front() ? "Single samples" : "",
                                    .x       = x,
                                    .y       = f,
                                    .tone    = {Tone::Kind::muted},
                                    .width   = 0.8,
                                    .opacity = 0.8});
    panel.series.push_back(Line{.name = "Mean", .x = x, .y = curves.mean, .tone = side.tone, .width = 2});
    if (experiment.task() == Task::regression)
        panel.series.push_back(training_points({training.inputs.begin(), training.inputs.end()},
                                               {training.targets.begin(), training.targets.end()}));
    return panel;
}

std::vector<Panel> curve_panels(const Experiment& experiment, const ViewOptions& options,
                                const std::array<PredictiveSide, 2>& sides, const std::stop_token& stop)
{
    const Range range = options.map.region ? options.map.region->first : range_along_x(experiment);
    if (!(range.first < range.second))
        throw Error("Prior predictive: the region is empty, expected increasing bounds.");
    const bool classes = experiment.task() == Task::classification;
    const int k        = classes ? displayed_class(experiment, options) : 0;
    const auto x       = places_along_x(range);
    const auto inputs  = standardised(experiment, x);
    const double level = experiment.study.prediction.level;
    std::array<FunctionCurves, 2> curves;
    for (std::size_t side = 0; side < 2; ++side) {
        const ProgressScope half(0.5 * static_cast<double>(side), 0.5 * static_cast<double>(side + 1));
        const auto outputs = sides[side].predictive().sample_outputs(inputs, static_cast<int>(x.size()), stop);
        if (stop.stop_requested())
            return {};
        curves[side] = function_curves(functions_at(experiment, outputs, k), level,
                                       std::min(options.map.functions, most_prior_curves));
    }
    const auto& training = experiment.data->training;
    Axis y{.label = training.target_name, .range = height_of_both(curves, training.targets)};
    if (classes)
        y = {.label = "Probability of " + class_name(training.class_names, k), .range = Range{0, 1}};
    std::vector<Panel> panels;
    for (std::size_t side = 0; side < 2; ++side) {
        panels.push_back(curve_panel(experiment, sides[side], x, curves[side], percent_text(level)));
        panels.back().y = y;
        if (options.map.region && !classes)
            panels.back().y.range = options.map.region->second;
    }
    return panels;
}

// Two inputs with classes: maps.

/// Maps of the mean and of the first sample. Empty: stopped.
std::vector<Panel> maps_of_side(const Experiment& experiment, const ViewOptions& options, const PredictiveSide& side,
                                const MapGrid& grid, const std::stop_token& stop)
{
    const auto inputs  = standardised(experiment, grid.inputs());
    const int n        = grid.nx * grid.ny;
    const int k        = displayed_class(experiment, options);
    const auto& names  = experiment.data->training.class_names;
    const auto K       = names.size();
    const auto summary = side.predictive().summarise(inputs, n, stop);
    const auto single  = stop.stop_requested() ? OutputSamples{} : side.first().sample_outputs(inputs, n, stop);
    if (stop.stop_requested())
        return {};
    const auto panel_with = [&](std::vector<float> z, const std::string& title) {
        auto panel   = plane_panel(experiment, grid,
                                   {.name     = "Probability of " + class_name(names, k),
                                    .z        = std::move(z),
                                    .z_range  = {0, 1},
                                    .contours = {0.5}});
        panel.title  = side.name + ", " + title;
        panel.legend = false;
        return panel;
    };
    std::vector<float> mean, sampled;
    for (int i = 0; i < n; ++i) {
        mean.push_back(static_cast<float>(summary.mean[static_cast<std::size_t>(i) * K + static_cast<std::size_t>(k)]));
        sampled.push_back(single.at(0, i, k));
    }
    return {panel_with(std::move(mean), "mean"), panel_with(std::move(sampled), "one sample")};
}

/// Pairs: prior next to posterior, first their means and then one sample of each.
std::vector<Panel> map_panels(const Experiment& experiment, const ViewOptions& options,
                              const std::array<PredictiveSide, 2>& sides, const std::stop_token& stop)
{
    const auto region = options.map.region.value_or(region_of(experiment));
    const auto grid   = MapGrid::over(region.first, region.second, options.map.cells);
    std::array<std::vector<Panel>, 2> maps;
    for (std::size_t side = 0; side < 2; ++side) {
        const ProgressScope half(0.5 * static_cast<double>(side), 0.5 * static_cast<double>(side + 1));
        maps[side] = maps_of_side(experiment, options, sides[side], grid, stop);
        if (maps[side].empty())
            return {};
    }
    std::vector<Panel> out;
    for (std::size_t row = 0; row < 2; ++row)
        for (auto& of_side : maps)
            out.push_back(std::move(of_side[row]));
    return out;
}

// Other data: distributions over rows and samples.

/// The largest class probability of each sample at each row, or the function in the target's units.
std::vector<double> values_at_rows(const Experiment& experiment, const OutputSamples& outputs)
{
    if (experiment.task() == Task::regression)
        return functions_at(experiment, outputs, 0).f;
    std::vector<double> out;
    const auto K = static_cast<std::size_t>(outputs.n_outputs);
    for (std::size_t first = 0; first < outputs.values.size(); first += K)
        out.push_back(
            static_cast<double>(*std::max_element(outputs.values.begin() + static_cast<std::ptrdiff_t>(first),
                                                  outputs.values.begin() + static_cast<std::ptrdiff_t>(first + K))));
    return out;
}

/// Bins for both: from 1/K to 1, or over the inner 99 % of all values.
Histogram common_bins(const Experiment& experiment, const std::array<std::vector<double>, 2>& values)
{
    Range range{1 / static_cast<double>(std::max<std::size_t>(1, experiment.data->training.n_classes())), 1};
    if (experiment.task() == Task::regression) {
        constexpr double tail = 0.005;
        range                 = {std::min(quantile(values[0], tail), quantile(values[1], tail)),
                                 std::max(quantile(values[0], 1 - tail), quantile(values[1], 1 - tail))};
        if (!(range.first < range.second))   // all values are equal
            range = {range.first - 0.5, range.first + 0.5};
    }
    return {range.first, (range.second - range.first) / bins_of_prior, std::vector<long>(bins_of_prior, 0), 0};
}

std::vector<Panel> histogram_panels(const Experiment& experiment, const ProbePoints& probes,
                                    const std::array<PredictiveSide, 2>& sides, const std::stop_token& stop)
{
    std::array<std::vector<double>, 2> values;
    for (std::size_t side = 0; side < 2; ++side) {
        const ProgressScope half(0.5 * static_cast<double>(side), 0.5 * static_cast<double>(side + 1));
        const auto outputs = sides[side].predictive().sample_outputs(probes.inputs, static_cast<int>(probes.n), stop);
        if (stop.stop_requested())
            return {};
        values[side] = values_at_rows(experiment, outputs);
    }
    const auto bins    = common_bins(experiment, values);
    const bool classes = experiment.task() == Task::classification;
    std::vector<Panel> panels;
    double highest = 0;
    for (std::size_t side = 0; side < 2; ++side) {
        auto bars = bars_of(histogram_like(bins, values[side]), sides[side].name, sides[side].tone);
        highest   = std::max(highest, *std::max_element(bars.height.begin(), bars.height.end()));
        panels.push_back(
            {.title = sides[side].name,
             .x = {.label = classes ? "Largest class probability of a sample" : experiment.data->training.target_name,
                   .range = Range{bins.first, bins.first + bins.width * bins_of_prior}},
             .y = {.label = "Density"},
             .series = {std::move(bars)},
             .legend = false});
    }
    for (auto& panel : panels)
        panel.y.range = Range{0, 1.05 * highest};
    return panels;
}

std::optional<std::string> why_not_prior_predictive(const Experiment& experiment)
{
    if (method_of(experiment.study).under_prior())
        return {};
    return "This posterior is trained with weight decay instead of a prior, so there is no prior to sample from.";
}

std::optional<Chart> make_prior_predictive(const RunSnapshot& run, const ViewOptions& options,
                                           const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto sides       = sides_of(run, options);
    const bool curves = experiment.data->training.n_features == 1, plane = !why_no_plane(experiment);
    const std::string both = std::to_string(sides[0].n_samples) + " samples of the weights from the prior (left) and "
                             + std::to_string(sides[1].n_samples) + " from the posterior (right)";
    Chart chart{.id = "prior_predictive", .title = "Prior predictive", .columns = 2};
    if (curves) {
        chart.panels  = curve_panels(experiment, options, sides, stop);
        chart.caption = "Functions of " + both + " on one scale: mean, "
                        + percent_text(experiment.study.prediction.level) + " interval and the first samples.";
    } else if (plane) {
        chart.panels = map_panels(experiment, options, sides, stop);
        for (auto& panel : chart.panels)
            set_point_size(panel, 2);   // the maps are small
        chart.caption = "Probability of "
                        + class_name(experiment.data->training.class_names, displayed_class(experiment, options))
                        + " for " + both + ": the mean, and one sample. Lines: probability ½.";
    } else {
        const auto probes = probe_points(experiment, options, {});
        chart.panels      = histogram_panels(experiment, probes, sides, stop);
        chart.caption     = (experiment.task() == Task::classification ? "Largest class probability of each of "
                                                                       : "Function value of each of ")
                        + both + ", at " + probes.what + ".";
    }
    if (stop.stop_requested())
        return {};
    if (options.map.prior_set > 0)
        chart.caption += " Set " + std::to_string(options.map.prior_set + 1) + " of samples from the prior.";
    return with_setting(std::move(chart), run, sides[1].n_samples);
}

}   // namespace

View prior_predictive_view()
{
    return {
        .id    = "prior_predictive",
        .title = "Prior predictive",
        .group = ViewGroup::predictions,
        .help =
            "Functions of networks whose weights are sampled from the prior, next to functions from the posterior, on "
            "one scale. One input: single functions with their mean and interval, without noise. Two inputs with "
            "classes: maps of a class probability, for the mean and for one sample. Other data: a histogram of the "
            "largest class probability, or of the function value, over samples and rows. Resample draws new samples "
            "from the prior. A useful prior covers the functions that you consider possible and little else. If its "
            "functions are far steeper than the data, or its samples are confident almost everywhere, the prior is too "
            "wide for this network: reduce its sd. Nearly constant functions need a larger sd. Wider layers widen the "
            "functions too, because the sd is not divided by the width. A learned prior is shown with its current "
            "scales. Source: Neal 1996, chapter 2, on priors over the functions of a network.",
        .coarse_while_live = true,
        .why_not           = why_not_prior_predictive,
        .make              = make_prior_predictive};
}

}   // namespace credence
