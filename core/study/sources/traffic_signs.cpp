// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/traffic_signs.h"

#include "study/field_makers.h"
#include "study/sources/shared_fields.h"

namespace credence {

using namespace field_makers;

namespace {

std::vector<Field> traffic_signs_fields()
{
    return {
        seed_field(),
        drawn_training_images_field(),
        drawn_test_images_field(),
        plain(
            {.path  = "data.difficulty",
             .label = "Difficulty",
             .help =
                 "Strength of all distortions: rotation and tilt, leaves, shadows and branches, blur, exposure, haze, "
                 "noise. 0 draws clean signs, 1 makes some signs unreadable. The default is meant to be about as hard "
                 "as photographs (GTSRB).",
             .min = 0,
             .max = 1},
            [](auto& s) -> auto& { return s.data.images.difficulty; }),
        only_classes_field(),
        validation_images_field(),
        pixels_field(),
        grey_field(),
        local_normalisation_field()};
}

void require_traffic_signs(const DataSpec& data)
{
    require_classes(data);
    require_steps(data);
    const auto classes = static_cast<int>(sign_designs().size());
    for (const int k : data.images.only_classes)
        if (k >= classes)
            throw Error("data.only_classes", "data.only_classes has " + std::to_string(k) + ", expected classes 0 to "
                                                 + std::to_string(classes - 1) + " of the traffic signs.");
}

ImageData drawn_traffic_signs(const DataSpec& data)
{
    TrafficSignOptions options{.n          = static_cast<std::size_t>(data.images.training_images),
                               .seed       = data.toy.seed,
                               .difficulty = data.images.difficulty};
    ImageData parts;
    parts.training   = draw_traffic_signs(options);
    options.sequence = SignSequence::test;
    options.n        = static_cast<std::size_t>(data.images.test_images);
    parts.test       = draw_traffic_signs(options);
    return with_only_classes(std::move(parts), data);
}

}   // namespace

/// Traffic signs drawn by Credence.
Source traffic_signs_source()
{
    return {.id     = "traffic_signs",
            .title  = "Traffic signs",
            .hint   = "24 signs, 32×32 in colour, drawn by Credence as a camera might see them: no download needed.",
            .fields = traffic_signs_fields(),
            .name   = [](const DataSpec&) -> std::string { return "Traffic signs"; },
            .check  = require_traffic_signs,
            .load_images   = drawn_traffic_signs,
            .first_network = NetworkKind::signs_lenet,
            .first_steps   = 3000};
}

}   // namespace credence
