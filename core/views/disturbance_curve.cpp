// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/classification_figures.h"

#include "charts/chart.h"
#include "charts/pictures.h"
#include "foundation/error.h"
#include "images/image_transforms.h"
#include "views/image_rows.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

Chart to_chart(const DisturbanceCurve& curve)
{
    constexpr double least = 0.05;   // smallest p̄ for which a class is drawn
    const auto& all        = curve.predictions;
    Chart chart{.id = "disturbance_curve", .title = "Perturbation", .columns = 1};
    if (!curve.pictures.empty()) {
        Panel pictures  = picture_panel(curve.input, curve.pictures, static_cast<int>(curve.pictures.size()), 1);
        pictures.weight = 0.4;
        chart.panels.push_back(std::move(pictures));
    }
    const Axis strength{.label = curve.quantity,
                        .unit  = curve.unit,
                        .range = curve.at.empty() ? Range{0, 1} : Range{curve.at.front(), curve.at.back()}};
    const auto mark_now = [&](Panel& panel) {
        if (curve.now)
            panel.series.push_back(Rule{.direction = Rule::Direction::vertical,
                                        .at        = *curve.now,
                                        .label     = "on show",
                                        .tone      = {Tone::Kind::accent}});
    };

    Panel probabilities{.x = strength, .y = {.label = "Mean probability p̄", .range = Range{0, 1}}};
    for (int k = 0; k < all.n_classes; ++k) {
        const bool is_true = curve.true_class == k;
        Line line{.name  = curve.class_names[static_cast<std::size_t>(k)] + (is_true ? " (true)" : ""),
                  .x     = curve.at,
                  .tone  = category(k),
                  .style = k < 8 ? LineStyle::solid : LineStyle::dashed,
                  .width = is_true ? 3.0 : 1.5};
        double most = 0;
        for (int i = 0; i < all.n_inputs; ++i) {
            line.y.push_back(all.mean_of(i)[static_cast<std::size_t>(k)]);
            most = std::max(most, line.y.back());
        }
        if (most >= least || is_true)
            probabilities.series.push_back(std::move(line));
    }
    mark_now(probabilities);
    chart.panels.push_back(std::move(probabilities));

    Panel uncertainty{.x = strength, .y = {.label = "Entropy", .unit = "nats"}};
    uncertainty.series.push_back(
        Line{.name = "predictive", .x = curve.at, .y = all.entropy, .tone = {Tone::Kind::neutral}, .width = 2});
    uncertainty.series.push_back(Line{.name  = "aleatoric part",
                                      .x     = curve.at,
                                      .y     = all.expected_entropy,
                                      .tone  = {Tone::Kind::data},
                                      .style = LineStyle::dashed});
    uncertainty.series.push_back(
        Line{.name = "epistemic part", .x = curve.at, .y = all.mutual_information, .tone = {Tone::Kind::posterior}});
    mark_now(uncertainty);
    uncertainty.weight = 0.8;
    chart.panels.push_back(std::move(uncertainty));
    chart.caption = "Mean probability of each class and entropy of " + curve.input + " against " + curve.quantity
                    + (curve.unit.empty() ? "" : " [" + curve.unit + "]")
                    + ". Classes that stay below 5 % everywhere are left out.";
    return chart;
}

using namespace view_support;

namespace {

struct SweepKind {
    std::string name, unit;
    double low, high;
    int steps;   ///< even, so that there is a middle
    double Disturbance::*member;
    double Placement::*placement;
};

SweepKind kind_of(DisturbanceSweep sweep, ImageShape shape)
{
    const double reach = std::round(std::max(shape.width, shape.height) / 3.0);
    switch (sweep) {
    case DisturbanceSweep::rotation: break;
    case DisturbanceSweep::scale: return {"Scale", "", 0.4, 1.6, 24, nullptr, &Placement::scale};
    case DisturbanceSweep::right: return {"Shift right", "pixels", -reach, reach, 32, nullptr, &Placement::right};
    case DisturbanceSweep::down: return {"Shift down", "pixels", -reach, reach, 32, nullptr, &Placement::down};
    case DisturbanceSweep::blur: return {"Blur", "pixels", 0, 4, 24, &Disturbance::blur, nullptr};
    case DisturbanceSweep::noise: return {"Noise", "of 255", 0, 200, 24, &Disturbance::noise, nullptr};
    case DisturbanceSweep::morph: return {"Morph into the other image", "%", 0, 100, 32, &Disturbance::morph, nullptr};
    }
    return {"Rotation", "°", -180, 180, 48, nullptr, &Placement::degrees};
}

std::optional<std::string> why_not_disturbance_curve(const Experiment& experiment)
{
    if (has_images(experiment))
        return {};
    return "Only images can be perturbed.";
}

/// The morph into the target, if the curve or the applied disturbance needs one. @throws Error if a curve of it has no
/// target
std::optional<ImageMorph> morph_of(const DisturbanceChoice& choice, const std::vector<float>& base, ImageShape shape)
{
    std::optional<ImageMorph> morph;
    if (choice.sweep == DisturbanceSweep::morph || choice.applied.morph != 0) {
        if (choice.morph_target.size() == base.size()) {
            const std::vector<float> target(choice.morph_target.begin(), choice.morph_target.end());
            morph.emplace(base, target, shape, suitable_morph(base, target, shape));
        } else if (choice.sweep == DisturbanceSweep::morph) {
            throw Error("Choose an image to morph into: Image, Perturb, Morph.");
        }
    }
    return morph;
}

std::optional<Chart> make_disturbance_curve(const RunSnapshot& run, const ViewOptions& options,
                                            const std::stop_token& stop)
{
    constexpr int most_pictures = 9;
    const auto& choice          = options.disturbance;
    const auto& experiment      = *run.experiment;
    const auto& data            = *experiment.data;
    const auto shape            = *data.image;
    const auto kind             = kind_of(choice.sweep, shape);
    InputChoice plain           = options.input;
    if (!choice.undisturbed.empty()) {
        plain.values = choice.undisturbed;
        plain.name   = choice.undisturbed_name;
    }
    const auto input = chosen_input(run, plain);
    auto base        = input.standardised;
    data.inputs.undo(base);
    const auto morph   = morph_of(choice, base, shape);
    const bool percent = choice.sweep == DisturbanceSweep::morph;
    const auto value   = [&](Disturbance& disturbance) -> double& {
        return kind.member ? disturbance.*kind.member : disturbance.placement.*kind.placement;
    };
    DisturbanceCurve curve{.input       = input.name,
                           .quantity    = kind.name,
                           .unit        = kind.unit,
                           .at          = {},
                           .predictions = {},
                           .class_names = data.training.class_names,
                           .true_class  = input.label,
                           .now         = {},
                           .pictures    = {}};
    std::vector<float> images;
    for (int i = 0; i <= kind.steps; ++i) {
        const double strength = kind.low + (kind.high - kind.low) * i / kind.steps;
        auto disturbance      = choice.applied;
        value(disturbance)    = percent ? strength / 100 : strength;
        const auto image      = disturbed(base, shape, disturbance, morph ? &*morph : nullptr);
        images.insert(images.end(), image.begin(), image.end());
        curve.at.push_back(strength);
        if (i % (kind.steps / (most_pictures - 1)) == 0) {
            curve.pictures.push_back(picture_of(std::span<const float>(image), shape));
            curve.pictures.back().caption = number_text(strength, 3);
        }
    }
    if (!choice.applied.none()) {
        auto disturbance = choice.applied;
        curve.now        = value(disturbance) * (percent ? 100 : 1);
    }
    data.inputs.apply(images);
    const auto predictive = predictive_of(run, options);
    const auto summary    = predictive.summarise(images, kind.steps + 1, stop);
    if (stop.stop_requested())
        return {};
    curve.predictions = class_predictions(summary);
    return with_setting(to_chart(curve), run, predictive.n_samples());
}

}   // namespace

View disturbance_curve_view()
{
    return {
        .id    = "disturbance_curve",
        .title = "Perturbation",
        .group = ViewGroup::selected_input,
        .help = "The selected image is perturbed by increasing amounts and predicted each time: mean probability p̄ of "
                "each class, predictive entropy H(p̄) with its aleatoric part E H(p) and its epistemic part H(p̄) − E "
                "H(p). A network with good uncertainty becomes uncertain before it changes its decision: the entropy, "
                "above all its epistemic part, should rise where the image no longer resembles the training data. "
                "Adapted from Gal and Ghahramani 2016, Fig. 4.",
        .needs_input       = true,
        .coarse_while_live = true,
        .why_not           = why_not_disturbance_curve,
        .make              = make_disturbance_curve};
}

}   // namespace credence
