// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/intervals.h"

#include "charts/chart.h"
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "prediction/regression.h"
#include "study/source.h"
#include "views/conformal_sets.h"
#include "views/probe_points.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence {

RegressionBand regression_band(std::vector<double> x, const RegressionSamples& samples, double level, int n_functions)
{
    if (static_cast<int>(x.size()) != samples.n_inputs)
        throw Error("Regression band: " + std::to_string(x.size()) + " points for predictions at "
                    + std::to_string(samples.n_inputs) + ".");
    const std::array<double, 5> p{(1 - level) / 2, 0.25, 0.5, 0.75, (1 + level) / 2};
    auto f = function_quantiles(samples, p);
    const std::array<double, 2> tails{p.front(), p.back()};
    auto y = predictive_quantiles(samples, tails);

    RegressionBand band;
    band.x                = std::move(x);
    band.level            = level;
    band.lower            = std::move(f[0]);
    band.lower_quartile   = std::move(f[1]);
    band.median           = std::move(f[2]);
    band.upper_quartile   = std::move(f[3]);
    band.upper            = std::move(f[4]);
    band.predictive_lower = std::move(y[0]);
    band.predictive_upper = std::move(y[1]);
    for (int s = 0; s < std::min(n_functions, samples.n_samples); ++s)
        band.functions.emplace_back(samples.f_of(s).begin(), samples.f_of(s).end());
    return band;
}

std::optional<Range> height_of(const RegressionBand& band)
{
    std::vector<double> y = band.data_y;
    y.insert(y.end(), band.test_y.begin(), band.test_y.end());
    if (y.empty())
        return std::nullopt;
    const auto [low, high] = std::minmax_element(y.begin(), y.end());
    const double height    = *high - *low;
    if (!(height > 0))
        return std::nullopt;
    // Extrapolating tails can be very steep: the band is shown up to its tenth percentile, and
    // never takes more than this share of the picture.
    constexpr double tail = 0.1, least = 0.1, most = 1.5;
    const double bottom = quantile(band.lower, tail), top = quantile(band.upper, 1 - tail);
    if (!std::isfinite(bottom) || !std::isfinite(top))
        return std::nullopt;
    return Range{*low - height * std::clamp((*low - bottom) / height, least, most),
                 *high + height * std::clamp((top - *high) / height, least, most)};
}

static void add_points(std::vector<Series>& series, const RegressionBand& band)
{
    if (!band.data_x.empty())
        series.push_back(view_support::training_points(band.data_x, band.data_y));
    if (!band.test_x.empty())
        series.push_back(Points{.name   = "Test data",
                                .x      = band.test_x,
                                .y      = band.test_y,
                                .tone   = {Tone::Kind::test},
                                .marker = Marker::circle,
                                .size   = 3.5,
                                .filled = false});
}

Chart to_chart(const RegressionBand& band)
{
    Chart chart{.id = "regression_band", .title = "Regression band"};
    if (band.x.empty()) {
        chart.message = "There is no point to predict at. The region must have a positive length.";
        return chart;
    }
    const std::string level = percent_text(band.level);
    const Tone posterior{Tone::Kind::posterior};
    Panel panel{.title = "",
                .x     = {.label = band.x_name, .range = Range{band.x.front(), band.x.back()}},
                .y     = {.label = band.y_name, .range = height_of(band)}};
    auto& series = panel.series;
    series.push_back(Band{.name    = level + " credible interval of f",
                          .x       = band.x,
                          .lower   = band.lower,
                          .upper   = band.upper,
                          .tone    = posterior,
                          .opacity = 0.2});
    series.push_back(Band{.name    = "Interquartile range of f",
                          .x       = band.x,
                          .lower   = band.lower_quartile,
                          .upper   = band.upper_quartile,
                          .tone    = posterior,
                          .opacity = 0.35});
    for (const auto& f : band.functions)
        series.push_back(Line{.name    = &f == &band.functions.front() ? "Posterior functions" : "",
                              .x       = band.x,
                              .y       = f,
                              .tone    = {Tone::Kind::muted},
                              .width   = 0.7,
                              .opacity = 0.6});
    if (!band.predictive_lower.empty()) {
        series.push_back(Line{.name  = level + " predictive interval, noise included",
                              .x     = band.x,
                              .y     = band.predictive_lower,
                              .tone  = posterior,
                              .style = LineStyle::dashed,
                              .width = 1});
        series.push_back(
            Line{.x = band.x, .y = band.predictive_upper, .tone = posterior, .style = LineStyle::dashed, .width = 1});
    }
    if (!band.noise_free.empty())
        series.push_back(Line{.name  = "Curve without noise",
                              .x     = band.x,
                              .y     = band.noise_free,
                              .tone  = {Tone::Kind::neutral},
                              .style = LineStyle::dotted});
    series.push_back(Line{.name = "Median of f", .x = band.x, .y = band.median, .tone = posterior, .width = 2});
    add_points(series, band);
    chart.panels.push_back(std::move(panel));
    chart.caption = "Median, interquartile range and " + level
                    + " credible interval of the function, the predictive interval with noise (dashed), "
                    + std::to_string(band.functions.size()) + " sampled posterior functions and the data.";
    return chart;
}

using namespace view_support;

namespace {

std::optional<std::string> why_not_regression_band(const Experiment& experiment)
{
    if (experiment.task() == Task::regression && experiment.data->training.n_features == 1)
        return {};
    return "A regression band needs one input and a numeric target.";
}

std::optional<Chart> make_regression_band(const RunSnapshot& run, const ViewOptions& options,
                                          const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto& data       = *experiment.data;
    const Range range      = options.map.region ? options.map.region->first : range_along_x(experiment);
    if (!(range.first < range.second))
        throw Error("Regression band: the region is empty, expected increasing bounds.");

    const auto x          = places_along_x(range);
    const int n           = static_cast<int>(x.size());
    const auto predictive = predictive_of(run, options);
    const auto outputs    = predictive.sample_outputs(standardised(experiment, x), n, stop);
    if (stop.stop_requested())
        return {};

    const auto samples = regression_samples(view_of(outputs), experiment.model.likelihood, data.target_mean,
                                            data.target_sd);
    auto band          = regression_band(x, samples, experiment.study.prediction.level, options.map.functions);
    band.x_name        = data.training.feature_names[0];
    band.y_name        = data.training.target_name;
    band.data_x.assign(data.training.inputs.begin(), data.training.inputs.end());
    band.data_y.assign(data.training.targets.begin(), data.training.targets.end());
    band.test_x.assign(data.test.inputs.begin(), data.test.inputs.end());
    band.test_y.assign(data.test.targets.begin(), data.test.targets.end());
    if (const auto& noise_free = source_of(experiment.study.data).noise_free)
        for (const double at : x)
            band.noise_free.push_back(noise_free(experiment.study.data, at));

    Chart chart          = to_chart(band);
    const auto conformal = conformal_lines(run, options, x, samples, standardised(experiment, x), stop);
    if (!conformal)
        return {};
    add_lines(chart, *conformal);
    if (options.map.region) {
        chart.panels[0].x.range = options.map.region->first;
        chart.panels[0].y.range = options.map.region->second;
    }
    return with_setting(std::move(chart), run, predictive.n_samples());
}

}   // namespace

View regression_band_view()
{
    return {
        .id    = "regression_band",
        .title = "Regression band",
        .group = ViewGroup::predictions,
        .help =
            "Many functions sampled from the posterior, with their median, the range of the middle half (dark band) "
            "and the credible interval (light band). Between and beyond the data the functions diverge and the bands "
            "should widen. Dashed: the predictive interval, which includes the noise; quantiles of the mixture (1/S) Σ "
            "p(y | f_s(x)). Dotted: the conformal interval, if prediction.conformal is set. Source: Blundell et al. "
            "2015, Fig. 5.",
        .coarse_while_live = true,
        .why_not           = why_not_regression_band,
        .make              = make_regression_band};
}

}   // namespace credence
