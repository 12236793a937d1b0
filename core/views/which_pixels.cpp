// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/uncertainty_gradients.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace view_support;

namespace {

std::optional<std::string> why_not_which_pixels(const Experiment& experiment)
{
    if (experiment.data->image && experiment.task() == Task::classification)
        return {};
    return "Gradients by the pixels need image data with classes.";
}

/// The gradient per step from black to white of a pixel, summed over the colours, with row 0 at the bottom.
std::vector<float> by_pixels(const Experiment& experiment, const std::vector<double>& gradient)
{
    const auto& shape = *experiment.data->image;
    const auto& sd    = experiment.data->inputs.sd;
    const auto width = static_cast<std::size_t>(shape.width), height = static_cast<std::size_t>(shape.height);
    std::vector<double> sum(width * height);
    for (std::size_t j = 0; j < gradient.size(); ++j) {
        const std::size_t pixel = j % sum.size(), row = height - 1 - pixel / width;
        sum[row * width + pixel % width] += gradient[j] * 255 / sd[j];
    }
    return {sum.begin(), sum.end()};
}

Panel pixel_panel(const Experiment& experiment, const std::string& title, std::vector<float> z, double largest)
{
    const auto& shape = *experiment.data->image;
    HeatMap heat{.name     = "Gradient",
                 .unit     = "nats",
                 .nx       = shape.width,
                 .ny       = shape.height,
                 .x        = {0, shape.width - 1.0},
                 .y        = {0, shape.height - 1.0},
                 .z        = std::move(z),
                 .z_range  = {-largest, largest},
                 .map      = ColourMap::diverging,
                 .contours = {},
                 .part     = title,
                 .discrete = true};
    return {.title        = title,
            .x            = {.range = Range{-0.5, shape.width - 0.5}, .hidden = true},
            .y            = {.range = Range{-0.5, shape.height - 0.5}, .hidden = true},
            .series       = {std::move(heat)},
            .legend       = false,
            .equal_aspect = true};
}

std::optional<Chart> make_which_pixels(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto input       = chosen_input(run, options.input);
    const auto samples     = weight_draws_of(run, options).n_samples();
    const std::vector<double> x(input.standardised.begin(), input.standardised.end());
    const auto gradients = uncertainty_gradients(model_of_weight_draws(experiment), *run.snapshot->posterior,
                                                 experiment.study.seed, samples, x, stop);
    if (!gradients)
        return {};
    struct Part {
        std::string name;
        double value;
        std::vector<float> pixels;
    };
    std::vector<Part> parts{
        {"Total", gradients->total, by_pixels(experiment, gradients->total_gradient)},
        {"Epistemic", gradients->epistemic(), by_pixels(experiment, gradients->epistemic_gradient())},
        {"Aleatoric", gradients->aleatoric, by_pixels(experiment, gradients->aleatoric_gradient)}};
    double largest = 0;
    for (const auto& part : parts)
        for (const float each : part.pixels)
            largest = std::max(largest, static_cast<double>(std::fabs(each)));
    if (!(largest > 0))   // the prediction is certain to rounding: all gradients are 0
        largest = 1;
    Chart chart{.id = "which_pixels", .title = "Which pixels", .columns = 3};
    for (auto& part : parts) {
        const std::string value = number_text(std::max(0.0, part.value), 3) + " nats";
        chart.panels.push_back(pixel_panel(experiment, part.name + ": " + value, std::move(part.pixels), largest));
    }
    chart.caption = "Derivative of the total uncertainty H(p̄), its epistemic part H(p̄) − E H(p) and its aleatoric "
                    "part E H(p) of "
                    + input.name + " by each pixel, in nats per step from black to white"
                    + std::string(experiment.data->image->channels > 1 ? ", summed over the colours" : "")
                    + ". One scale, from −" + number_text(largest, 3) + " to " + number_text(largest, 3) + ".";
    if (experiment.model.linearised_at_prediction)
        chart.caption += " Samples of the weights are used, not the linearised network.";
    add_input_picture(chart, experiment, input);
    chart.columns = 4;
    return with_setting(std::move(chart), run, samples);
}

}   // namespace

View which_pixels_view()
{
    return {
        .id    = "which_pixels",
        .title = "Which pixels",
        .group = ViewGroup::selected_input,
        .help =
            "Which pixels of the selected image make the network uncertain. Each picture shows the derivative of one "
            "uncertainty with respect to the pixels, on one scale. Where the colour is that of positive values, a "
            "lighter pixel makes the prediction more uncertain, and a darker one more certain. The other colour means "
            "the opposite. The total uncertainty is the predictive entropy H(p̄) of the mean p̄ of the sampled "
            "probabilities p. Its epistemic part is the mutual information H(p̄) − E H(p), the disagreement of the "
            "networks; its aleatoric part is E H(p), the uncertainty of each single network. The derivatives of the "
            "parts add up to that of the total. They hold for small changes: for larger ones, see the views Attack and "
            "Perturbation. Gradients are noisy from pixel to pixel, in particular for ReLU networks, so look for "
            "regions rather than single pixels. Colour images: the sum over the three colours, thus the effect of a "
            "change of brightness.",
        .needs_input       = true,
        .with_results      = false,
        .coarse_while_live = true,
        .why_not           = why_not_which_pixels,
        .make              = make_which_pixels};
}

}   // namespace credence
