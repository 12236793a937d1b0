// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/image_rows.h"
#include "views/view_support.h"

#include "charts/number_text.h"
#include "charts/pictures.h"
#include "figures/disturbance_curve.h"
#include "foundation/error.h"
#include "images/image_morph.h"

#include <algorithm>
#include <cmath>

namespace credence {

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
    return "Only images can be disturbed.";
}

std::optional<Chart> make_disturbance_curve(const RunSnapshot& moment, const ViewOptions& options,
                                            const std::stop_token& stop)
{
    constexpr int most_pictures = 9;
    const auto& experiment      = *moment.experiment;
    const auto& data            = *experiment.data;
    const auto shape            = *data.image;
    const auto kind             = kind_of(options.sweep, shape);
    ViewOptions plain           = options;   // the undisturbed image
    if (!options.undisturbed.empty()) {
        plain.input      = options.undisturbed;
        plain.input_name = options.undisturbed_name;
    }
    const auto input = chosen_input(moment, plain);
    auto base        = input.standardised;
    data.inputs.undo(base);
    std::optional<ImageMorph> morph;
    if (options.sweep == DisturbanceSweep::morph || options.disturbance.morph != 0) {
        if (options.morph_target.size() == base.size()) {
            const std::vector<float> target(options.morph_target.begin(), options.morph_target.end());
            morph.emplace(base, target, shape, suitable_morph(base, target, shape));
        } else if (options.sweep == DisturbanceSweep::morph) {
            throw Error("Choose an image to morph into: Image, Disturb, Morph.");
        }
    }

    const bool percent = options.sweep == DisturbanceSweep::morph;
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
        auto disturbance      = options.disturbance;
        value(disturbance)    = percent ? strength / 100 : strength;
        const auto image      = disturbed(base, shape, disturbance, morph ? &*morph : nullptr);
        images.insert(images.end(), image.begin(), image.end());
        curve.at.push_back(strength);
        if (i % (kind.steps / (most_pictures - 1)) == 0) {
            curve.pictures.push_back(picture_of(std::span<const float>(image), shape));
            curve.pictures.back().caption = number_text(strength, 3);
        }
    }
    if (!options.disturbance.none()) {
        auto disturbance = options.disturbance;
        curve.now        = value(disturbance) * (percent ? 100 : 1);
    }
    data.inputs.apply(images);
    const auto predictive = predictive_of(moment, options);
    const auto summary    = predictive.summarise(images, kind.steps + 1, stop);
    if (stop.stop_requested())
        return {};
    curve.predictions = class_predictions(summary);
    return with_setting(to_chart(curve), moment, predictive.n_samples());
}

}   // namespace

View disturbance_curve_view()
{
    return {
        .id    = "disturbance_curve",
        .title = "Disturbance",
        .help = "The selected image is disturbed by increasing amounts and predicted each time: mean probability p̄ of "
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
