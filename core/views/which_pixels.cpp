// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/pictures.h"
#include "prediction/uncertainty_gradients.h"
#include "views/attacker.h"
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

/// Returns the gradient per black-to-white step of each pixel, summed over the colours, with row 0
/// at the bottom.
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

/// @param quantity  of the colours, with its unit
Panel pixel_panel(const Experiment& experiment, const std::string& title, std::vector<float> z, double largest,
                  const Axis& quantity = {.label = "Gradient", .unit = "nats"})
{
    const auto& shape = *experiment.data->image;
    HeatMap heat{.name     = quantity.label,
                 .unit     = quantity.unit,
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

/// Draws the image at the same size as the gradients.
Panel image_panel(const Experiment& experiment, const std::string& title, const std::vector<float>& standardised)
{
    const auto& shape = *experiment.data->image;
    const auto bytes  = picture_values(experiment, standardised);
    auto picture      = picture_of(std::span<const float>(bytes), shape);
    picture.x         = (shape.width - 1) / 2.0;
    picture.y         = (shape.height - 1) / 2.0;
    picture.width     = shape.width;
    picture.height    = shape.height;
    return {.title        = title,
            .x            = {.range = Range{-0.5, shape.width - 0.5}, .hidden = true},
            .y            = {.range = Range{-0.5, shape.height - 0.5}, .hidden = true},
            .series       = {Pictures{.pictures = {std::move(picture)}}},
            .legend       = false,
            .equal_aspect = true};
}

/// A changed input, and its prediction.
struct Changed {
    std::vector<float> input;   ///< standardised
    int predicted     = 0;
    double confidence = 0;   ///< the mean probability of the predicted class
};

/// Follows the gradient of the total uncertainty downwards in short steps, within the range from
/// black to white, until the mean probability of some class reaches the level. Then shortens the
/// whole change as far as the level allows.
/// @return  the last input, whose confidence is below the level if no confident input was found;
/// empty: stopped
std::optional<Changed> made_confident(const RunSnapshot& run, const ViewOptions& options, const ChosenInput& input,
                                      double level, const std::stop_token& stop)
{
    constexpr int most_steps = 40, few_samples = 20, halvings = 6;
    constexpr double step_length = 0.4;   // Euclidean; 1 is the step of one pixel from black to white
    const auto& experiment       = *run.experiment;
    const auto space             = attack_space(experiment);
    const auto predictive        = predictive_of(run, options);
    const int samples            = std::min(few_samples, weight_draws_of(run, options).n_samples());
    const std::size_t d          = input.standardised.size();
    const auto with_prediction   = [&](std::vector<float> x) -> std::optional<Changed> {
        const auto summary = predictive.summarise(x, 1, stop);
        if (stop.stop_requested())
            return {};
        const auto prediction = class_predictions(summary);
        return Changed{std::move(x), prediction.predicted.front(), prediction.confidence.front()};
    };
    auto now = with_prediction(input.standardised);
    for (int step = 0; now && now->confidence < level && step < most_steps; ++step) {
        const std::vector<double> x(now->input.begin(), now->input.end());
        const auto gradients = uncertainty_gradients(model_of_weight_draws(experiment), *run.snapshot->posterior,
                                                     experiment.study.seed, samples, x, stop);
        if (!gradients)
            return {};
        double squares = 0;
        for (std::size_t j = 0; j < d; ++j)
            squares += std::pow(gradients->total_gradient[j] * space.unit[j], 2);
        if (!(squares > 0))
            return now;
        auto next = now->input;
        for (std::size_t j = 0; j < d; ++j) {
            const double unit = space.unit[j];
            const double move = step_length * gradients->total_gradient[j] * unit / std::sqrt(squares) * unit;
            next[j]           = std::clamp(next[j] - static_cast<float>(move), space.lowest[j], space.highest[j]);
        }
        now = with_prediction(std::move(next));
    }
    if (!now || now->confidence < level)
        return now;
    double least = 0, enough = 1;   // shares of the change
    const auto whole = now->input;
    for (int k = 0; k < halvings && whole != input.standardised; ++k) {
        const double share = (least + enough) / 2;
        auto between       = input.standardised;
        for (std::size_t j = 0; j < d; ++j)
            between[j] += static_cast<float>(share * (whole[j] - between[j]));
        auto there = with_prediction(std::move(between));
        if (!there)
            return {};
        (there->confidence < level ? least : enough) = share;
        if (there->confidence >= level)
            now = std::move(there);
    }
    return now;
}

/// Adds the small change that makes the prediction confident, and the changed image, or states why
/// there is none.
/// @return  false: stopped
bool add_confident_change(Chart& chart, const RunSnapshot& run, const ViewOptions& options, const ChosenInput& input,
                          const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const double level     = experiment.study.prediction.level;
    const auto changed     = made_confident(run, options, input, level, stop);
    if (!changed)
        return false;
    const std::string confident = "a mean probability of at least " + number_text(level, 3);
    if (changed->input == input.standardised && changed->confidence >= level) {
        chart.caption += " The prediction for the unchanged image already has " + confident + ".";
        return true;
    }
    if (changed->confidence < level) {
        chart.caption += " Following the gradient did not lead to " + confident + ".";
        return true;
    }
    std::vector<double> difference;   // standardised
    double squares = 0, largest = 0;
    for (std::size_t j = 0; j < changed->input.size(); ++j) {
        const double pixels = (changed->input[j] - input.standardised[j]) * experiment.data->inputs.sd[j] / 255;
        squares += pixels * pixels;
        difference.push_back(pixels * experiment.data->inputs.sd[j] / 255);   // as `by_pixels` expects
    }
    auto shown = by_pixels(experiment, difference);
    for (const float each : shown)
        largest = std::max(largest, static_cast<double>(std::fabs(each)));
    const std::string length = number_text(std::sqrt(squares), 3);
    const auto& name         = experiment.data->training.class_names.at(static_cast<std::size_t>(changed->predicted));
    chart.panels.push_back(pixel_panel(experiment, "Small change: " + length, std::move(shown), largest,
                                       {.label = "Change of the pixel"}));
    chart.panels.push_back(
        image_panel(experiment, "Changed: " + name + ", p̄ = " + number_text(changed->confidence, 3), changed->input));
    chart.caption += " Small change, found along the gradient of the total uncertainty: after a change of Euclidean "
                     "length "
                     + length + " (1: one pixel from black to white), the prediction has " + confident + ".";
    return true;
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
    Chart chart{.id = "which_pixels", .title = "Which pixels"};
    const std::string label = input.label
                                  ? ": " + experiment.data->training.class_names[static_cast<std::size_t>(*input.label)]
                                  : "";
    chart.panels.push_back(image_panel(experiment, input.name + label, input.standardised));
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
    if (!add_confident_change(chart, run, options, input, stop))
        return {};
    chart.columns = chart.panels.size() > 4 ? 3 : 4;
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
            "Perturbation. If the network is not confident, the view also searches for a small change of the image "
            "after which the mean probability of some class reaches the level α. It follows the gradient of the total "
            "uncertainty downwards in short steps and then shortens the change, so a smaller one can exist. Gradients "
            "are noisy from pixel to pixel, in particular for ReLU networks, so look for regions rather than single "
            "pixels. Colour images: the sum over the three colours, thus the effect of a change of brightness.",
        .needs_input       = true,
        .with_results      = false,
        .coarse_while_live = true,
        .why_not           = why_not_which_pixels,
        .make              = make_which_pixels};
}

}   // namespace credence
