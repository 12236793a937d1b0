// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "foundation/text.h"
#include "network/noise_distribution.h"
#include "prediction/gaussian_process.h"
#include "study/method.h"
#include "views/decision_map.h"
#include "views/intervals.h"
#include "views/probe_points.h"
#include "views/view_support.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t most_gp_rows = 500;

/// Returns the noise of the targets in the network's units, if it is Gaussian and constant.
std::optional<double> gaussian_noise_of(const Experiment& experiment)
{
    const auto& likelihood = experiment.model.likelihood;
    const auto scale       = likelihood->constant_scale();
    return scale && likelihood == Likelihood::gaussian(*scale) ? scale : std::nullopt;
}

/// The inputs of the network, as numbers of the regression.
std::vector<double> network_inputs(const Experiment& experiment, std::span<const double> x)
{
    const auto z = standardised(experiment, x);
    return {z.begin(), z.end()};
}

bool of_classes_in_plane(const Experiment& experiment)
{
    const auto& training = experiment.data->training;
    return experiment.task() == Task::classification && training.n_features == 2 && training.n_classes() == 2;
}

std::optional<std::string> why_not_gp_reference(const Experiment& experiment)
{
    const auto& training = experiment.data->training;
    if (!of_classes_in_plane(experiment) && (experiment.task() != Task::regression || training.n_features != 1))
        return "The Gaussian process reference needs one input and a numeric target, or two inputs and two classes.";
    if (!of_classes_in_plane(experiment) && !gaussian_noise_of(experiment))
        return "The Gaussian process reference needs Gaussian noise with a given standard deviation.";
    if (const auto n = experiment.data->training.n_rows; n > most_gp_rows)
        return "The Gaussian process reference needs at most " + grouped_text(most_gp_rows)
               + " training rows, because its cost grows with their cube; these data have "
               + grouped_text(static_cast<long>(n)) + ".";
    return {};
}

std::optional<std::string> why_no_limit_of(const RunSnapshot& run, const Prior& prior)
{
    if (!method_of(run.experiment->study).under_prior())
        return "The infinite-width kernel needs a prior, but this posterior is trained with weight decay.";
    return why_no_width_limit(run.experiment->model.architecture, prior);
}

/// Mean and band of f, in the units of the target.
struct FunctionBand {
    std::string name;
    Tone tone;
    std::vector<double> mean, lower, upper;
};

FunctionBand band_of_network(const RunSnapshot& run, const RegressionSamples& samples)
{
    const double level = run.experiment->study.prediction.level;
    const std::array<double, 2> tails{(1 - level) / 2, (1 + level) / 2};
    auto bounds = function_quantiles(samples, tails);
    return {"Network", {Tone::Kind::posterior}, mean_function(samples), std::move(bounds[0]), std::move(bounds[1])};
}

/// A Gaussian process on the training rows, with its prediction at the places of the figure.
struct FittedProcess {
    std::string title;   ///< "RBF kernel"
    FunctionBand band;
    double log_marginal_likelihood = 0;   ///< nats, of the targets in the units of the network
};

/// @param x  places, original units
FittedProcess fitted_process(const Experiment& experiment, const std::string& title, Tone tone, Kernel kernel,
                             std::span<const double> inputs, std::span<const double> targets, std::span<const double> x)
{
    const auto& data = *experiment.data;
    const GaussianProcess process(std::move(kernel), inputs, targets, gaussian_noise_of(experiment).value());
    const auto prediction = process.at(network_inputs(experiment, x));
    const double z        = normal_noise()->quantile_of_e((1 + experiment.study.prediction.level) / 2);
    FittedProcess out{title, {"Gaussian process", tone, {}, {}, {}}, process.log_marginal_likelihood()};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double mean = data.target_mean + data.target_sd * prediction.mean[i];
        const double half = z * data.target_sd * prediction.sd[i];
        out.band.mean.push_back(mean);
        out.band.lower.push_back(mean - half);
        out.band.upper.push_back(mean + half);
    }
    return out;
}

Panel panel_of_process(const Experiment& experiment, const FittedProcess& process, const FunctionBand& network,
                       const std::vector<double>& x)
{
    const auto& training    = experiment.data->training;
    const std::string level = percent_text(experiment.study.prediction.level) + " interval";
    Panel panel{.title = process.title,
                .x     = {.label = training.feature_names[0], .range = Range{x.front(), x.back()}},
                .y     = {.label = training.target_name}};
    for (const auto* band : {&network, &process.band})
        panel.series.push_back(Band{.name    = band->name + ", " + level,
                                    .x       = x,
                                    .lower   = band->lower,
                                    .upper   = band->upper,
                                    .tone    = band->tone,
                                    .opacity = 0.2});
    for (const auto* band : {&network, &process.band})
        panel.series.push_back(Line{.name  = band->name + ", mean",
                                    .x     = x,
                                    .y     = band->mean,
                                    .tone  = band->tone,
                                    .style = band == &network ? LineStyle::solid : LineStyle::dashed,
                                    .width = 2});
    panel.series.push_back(training_points({training.inputs.begin(), training.inputs.end()},
                                           {training.targets.begin(), training.targets.end()}));
    return panel;
}

/// The y range of all panels: data and bands, without their steepest ends.
std::optional<Range> height_of_bands(const Experiment& experiment, const FunctionBand& network,
                                     const std::vector<FittedProcess>& processes)
{
    RegressionBand extent;
    extent.data_y.assign(experiment.data->training.targets.begin(), experiment.data->training.targets.end());
    extent.lower = network.lower;
    extent.upper = network.upper;
    for (const auto& process : processes)
        for (std::size_t i = 0; i < extent.lower.size(); ++i) {
            extent.lower[i] = std::min(extent.lower[i], process.band.lower[i]);
            extent.upper[i] = std::max(extent.upper[i], process.band.upper[i]);
        }
    return height_of(extent);
}

std::string words_of_limit(const WidthLimitKernel& kernel)
{
    return "weight variances n σ_w² of the layers "
           + joined(kernel.layers, [](const auto& layer) { return number_text(layer.weights, 3); })
           + " and bias variances "
           + joined(kernel.layers, [](const auto& layer) { return number_text(layer.biases, 3); });
}

/// Targets as the network learns them.
std::vector<double> standardised_targets(const SplitData& data)
{
    std::vector<double> targets;
    for (const double y : data.training.targets)
        targets.push_back((y - data.target_mean) / data.target_sd);
    return targets;
}

// Two inputs and two classes: maps.

/// A classifier over the training rows, and its probabilities of class 1 on the grid.
struct ClassifiedPlane {
    std::string title, parameters;
    double log_marginal_likelihood = 0;
    std::vector<double> p;
};

/// @return  empty: stopped
std::optional<ClassifiedPlane> classified_plane(const Experiment& experiment, const std::string& title,
                                                const std::string& parameters, VectorKernel kernel,
                                                std::span<const double> places, const std::stop_token& stop)
{
    const auto& data = *experiment.data;
    const std::vector<double> x(data.training_inputs.begin(), data.training_inputs.end());
    const GaussianProcessClassifier process(std::move(kernel), x, 2, data.training.labels);
    auto p = process.probabilities(places, stop);
    if (p.empty())
        return {};
    return ClassifiedPlane{title, parameters, process.log_marginal_likelihood(), std::move(p)};
}

/// Fits the kernel to some of the rows. Empty: stopped.
std::optional<RbfKernel> rbf_of_plane(const SplitData& data, const std::stop_token& stop)
{
    constexpr std::size_t most = 150;
    std::vector<double> x;
    std::vector<int> labels;
    for (const auto row : evenly_spaced(data.training.n_rows, most)) {
        x.insert(x.end(), data.training_inputs.begin() + static_cast<std::ptrdiff_t>(2 * row),
                 data.training_inputs.begin() + static_cast<std::ptrdiff_t>(2 * row + 2));
        labels.push_back(data.training.labels[row]);
    }
    return fitted_rbf_of_classes(x, 2, labels, stop);
}

/// The two kernels, or one if the network has no limit. Empty: stopped.
std::vector<ClassifiedPlane> classified_planes(const RunSnapshot& run, std::span<const double> places,
                                               const std::optional<std::string>& no_limit, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto rbf         = rbf_of_plane(*experiment.data, stop);
    if (!rbf)
        return {};
    std::vector<ClassifiedPlane> out;
    const auto add = [&](const char* title, const std::string& parameters, VectorKernel kernel) {
        auto plane = classified_plane(experiment, title, parameters, std::move(kernel), places, stop);
        if (plane)
            out.push_back(std::move(*plane));
        return plane.has_value();
    };
    if (!add("RBF kernel",
             "length scale " + number_text(rbf->length_scale, 3) + ", amplitude " + number_text(rbf->amplitude, 3),
             *rbf))
        return {};
    if (no_limit)
        return out;
    const auto limit = width_limit(experiment.model.architecture, prior_at(run));
    // The logit of class 1 against class 0 is the difference of two independent functions.
    const double functions = experiment.model.likelihood->n_outputs(2);
    const auto kernel      = [limit, functions](std::span<const double> x, std::span<const double> y) {
        return functions * limit(x, y);
    };
    return add("Infinite-width kernel", words_of_limit(limit), kernel) ? out : std::vector<ClassifiedPlane>();
}

std::optional<Chart> make_gp_planes(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    constexpr int most_cells = 60;
    const auto& experiment   = *run.experiment;
    const auto& names        = experiment.data->training.class_names;
    const auto region        = options.map.region.value_or(region_of(experiment));
    const auto grid          = MapGrid::over(region.first, region.second, std::min(options.map.cells, most_cells));
    const auto inputs        = standardised(experiment, grid.inputs());
    const auto predictive    = unrecalibrated_predictive_of(run, options);
    const auto summary       = predictive.summarise(inputs, grid.nx * grid.ny, stop);
    if (stop.stop_requested())
        return {};
    const auto no_limit = why_no_limit_of(run, prior_at(run));
    const auto planes   = classified_planes(run, std::vector<double>(inputs.begin(), inputs.end()), no_limit, stop);
    if (planes.empty())
        return {};
    std::vector<double> network;   // of class 1
    const auto predictions = class_predictions(summary);
    for (int i = 0; i < predictions.n_inputs; ++i)
        network.push_back(predictions.mean_of(i)[1]);
    const int k = std::clamp(options.map.class_index, 0, 1);
    Chart chart{.id = "gp_reference", .title = "Gaussian process reference"};
    const auto add = [&](const std::string& title, const std::vector<double>& p) {
        std::vector<float> z;
        for (const double each : p)
            z.push_back(static_cast<float>(k == 1 ? each : 1 - each));
        chart.panels.push_back(plane_panel(experiment, grid,
                                           {.name     = "Probability of " + class_name(names, k),
                                            .z        = std::move(z),
                                            .z_range  = {0, 1},
                                            .contours = {0.5}}));
        chart.panels.back().title  = title;
        chart.panels.back().legend = false;
        set_point_size(chart.panels.back(), 2);
    };
    add("Network", network);
    Table table{.columns = {{.name = "Kernel"},
                            {.name = "Log marginal likelihood", .unit = "nats"},
                            {.name = "Mean difference from the network"},
                            {.name = "Parameters"}},
                .rows    = {}};
    for (const auto& plane : planes) {
        add(plane.title, plane.p);
        double difference = 0;
        for (std::size_t i = 0; i < plane.p.size(); ++i)
            difference += std::fabs(plane.p[i] - network[i]) / static_cast<double>(plane.p.size());
        table.rows.push_back({plane.title, plane.log_marginal_likelihood, difference, plane.parameters});
    }
    chart.columns = static_cast<int>(chart.panels.size());
    chart.caption = "Mean probability of " + class_name(names, k)
                    + " of the network next to Gaussian process classification in the Laplace approximation. The "
                      "table shows the mean absolute difference of the probabilities over the map. "
                    + no_limit.value_or("Infinite-width kernel: the logit is the difference of the outputs.");
    chart.table = std::move(table);
    return with_setting(std::move(chart), run, predictive.n_samples());
}

std::string lines_caption(const SplitData& data, double length, double amplitude,
                          std::span<const FittedProcess> processes)
{
    const auto& training = data.training;
    return "The network's posterior of f next to exact Gaussian process regression with the same noise. RBF kernel: "
           "length scale "
           + number_text(length, 3) + " in units of " + training.feature_names[0] + ", amplitude "
           + number_text(amplitude, 3) + " " + target_unit(training.target_name) + ", log marginal likelihood "
           + number_text(processes[0].log_marginal_likelihood, 4) + " nats. ";
}

std::optional<Chart> make_gp_reference(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    if (of_classes_in_plane(*run.experiment))
        return make_gp_planes(run, options, stop);
    const auto& experiment = *run.experiment;
    const auto& data       = *experiment.data;
    const Range range      = options.map.region ? options.map.region->first : range_along_x(experiment);
    if (!(range.first < range.second))
        throw Error("Gaussian process reference: the region is empty, expected increasing bounds.");
    const auto x          = places_along_x(range);
    const auto predictive = unrecalibrated_predictive_of(run, options);
    const auto outputs    = predictive.sample_outputs(standardised(experiment, x), static_cast<int>(x.size()), stop);
    if (stop.stop_requested())
        return {};
    const auto network = band_of_network(
        run, regression_samples(view_of(outputs), experiment.model.likelihood, data.target_mean, data.target_sd));

    const std::vector<double> training_x(data.training.inputs.begin(), data.training.inputs.end());
    const auto inputs  = network_inputs(experiment, training_x);
    const auto targets = standardised_targets(data);
    const auto rbf     = fitted_rbf(inputs, targets, gaussian_noise_of(experiment).value(), stop);
    if (!rbf)
        return {};
    std::vector<FittedProcess> processes;
    processes.push_back(fitted_process(experiment, "RBF kernel", category(1), *rbf, inputs, targets, x));
    const auto prior    = prior_at(run);
    const auto no_limit = why_no_limit_of(run, prior);
    std::optional<WidthLimitKernel> limit;
    if (!no_limit) {
        limit = width_limit(experiment.model.architecture, prior);
        processes.push_back(
            fitted_process(experiment, "Infinite-width kernel", category(2), *limit, inputs, targets, x));
    }
    if (stop.stop_requested())
        return {};

    const double length    = rbf->length_scale * data.inputs.sd.front();
    const double amplitude = rbf->amplitude * data.target_sd;
    Chart chart{.id = "gp_reference", .title = "Gaussian process reference"};
    chart.caption = lines_caption(data, length, amplitude, processes)
                    + (no_limit ? *no_limit
                                : "Infinite-width kernel: " + words_of_limit(*limit) + ", log marginal likelihood "
                                      + number_text(processes[1].log_marginal_likelihood, 4) + " nats.");
    const auto height = options.map.region ? std::optional(options.map.region->second)
                                           : height_of_bands(experiment, network, processes);
    Table table{
        .columns = {{.name = "Kernel"}, {.name = "Log marginal likelihood", .unit = "nats"}, {.name = "Parameters"}},
        .rows    = {}};
    for (const auto& process : processes) {
        chart.panels.push_back(panel_of_process(experiment, process, network, x));
        chart.panels.back().y.range  = height;
        const std::string parameters = &process == &processes.front() ? "length scale " + number_text(length, 6)
                                                                            + ", amplitude " + number_text(amplitude, 6)
                                                                      : words_of_limit(*limit);
        table.rows.push_back({process.title, process.log_marginal_likelihood, parameters});
    }
    chart.columns = static_cast<int>(chart.panels.size());
    chart.table   = std::move(table);
    return with_setting(std::move(chart), run, predictive.n_samples());
}

}   // namespace

View gp_reference_view()
{
    return {
        .id    = "gp_reference",
        .title = "Gaussian process reference",
        .group = ViewGroup::reference,
        .help =
            "Exact Gaussian process regression on the same rows, with the noise of the Study, next to the posterior of "
            "the network: mean and interval of f, without noise. Left: an RBF kernel A² exp(−(x − x')²/(2ℓ²)), whose "
            "length scale ℓ and amplitude A maximise the log marginal likelihood; the caption gives their values. "
            "Right: the kernel of a network with the same layers and prior in the limit of infinite width. It has no "
            "parameters to fit: k(x, x') = σ_b² + n σ_w² E[φ(u) φ(u')] from layer to layer, where n is the number of "
            "inputs of a unit. It stays that of this network, because its prior sd is not divided by the width. For "
            "one hidden layer this is exactly the prior covariance of the network's functions; for more layers it is "
            "approximate. ReLU and identity are exact, tanh and sigmoid are replaced by error functions of the same "
            "slope. A network that samples its posterior well and is wide resembles the right panel; a variational "
            "posterior is often narrower between the data. For two inputs and two classes, maps show the probability "
            "of a class. The processes then use the Laplace approximation, and the RBF kernel is chosen on a grid by "
            "its approximate log marginal likelihood for at most 150 rows. Sources: Williams 1997 (error function), "
            "Cho and Saul 2009 (ReLU), Lee et al. 2018 and Matthews et al. 2018 (several layers), Rasmussen and "
            "Williams 2006 (classes).",
        .cost         = Cost::slow,
        .with_results = false,
        .many_targets = ManyTargets::refused,
        .why_not      = why_not_gp_reference,
        .make         = make_gp_reference};
}

}   // namespace credence
