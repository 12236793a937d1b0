// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/probe_points.h"
#include "views/view_support.h"

#include "figures/regression_band.h"
#include "foundation/error.h"
#include "prediction/regression.h"
#include "study/source.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<std::string> why_not_regression_band(const Experiment& experiment)
{
    if (experiment.task() == Task::regression && experiment.data->training.n_features == 1)
        return {};
    return "A regression band needs one input and a numeric target.";
}

std::optional<Chart> make_regression_band(const RunSnapshot& moment, const ViewOptions& options,
                                          const std::stop_token& stop)
{
    const auto& experiment = *moment.experiment;
    const auto& data       = *experiment.data;
    const Range range      = options.region ? options.region->first : range_along_x(experiment);
    if (!(range.first < range.second))
        throw Error("Regression band: the region is empty, expected increasing bounds.");

    const auto x          = places_along_x(range);
    const int n           = static_cast<int>(x.size());
    const auto predictive = predictive_of(moment, options);
    const auto outputs    = predictive.sample_outputs(standardised(experiment, x), n, stop);
    if (stop.stop_requested())
        return {};

    const auto samples = regression_samples(view_of(outputs), data.target_mean, data.target_sd);
    auto band          = regression_band(x, samples, experiment.study.prediction.level, options.functions);
    band.x_name        = data.training.feature_names[0];
    band.y_name        = data.training.target_name;
    band.data_x.assign(data.training.inputs.begin(), data.training.inputs.end());
    band.data_y.assign(data.training.targets.begin(), data.training.targets.end());
    band.test_x.assign(data.test.inputs.begin(), data.test.inputs.end());
    band.test_y.assign(data.test.targets.begin(), data.test.targets.end());
    if (const auto& noise_free = source_of(experiment.study.data).noise_free)
        for (const double at : x)
            band.noise_free.push_back(noise_free(experiment.study.data, at));

    Chart chart = to_chart(band);
    if (options.region) {
        chart.panels[0].x.range = options.region->first;
        chart.panels[0].y.range = options.region->second;
    }
    return with_setting(std::move(chart), moment, predictive.n_samples());
}

}   // namespace

View regression_band_view()
{
    return {
        .id    = "regression_band",
        .title = "Regression band",
        .help =
            "Many functions sampled from the posterior, with their median, the range of the middle half (dark band) "
            "and the credible interval (light band). Between and beyond the data the functions diverge and the bands "
            "should widen. Dashed: the interval for a new observation, which includes the noise; quantiles of the "
            "mixture (1/S) Σ N(f_s(x), s_s(x)²). Source: Blundell et al. 2015, Fig. 5.",
        .coarse_while_live = true,
        .why_not           = why_not_regression_band,
        .make              = make_regression_band};
}

}   // namespace credence
