// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/stroke_digits.h"

#include "study/field_makers.h"
#include "study/sources/shared_fields.h"

namespace credence {

using namespace field_makers;

namespace {

std::vector<Option<StrokeAlphabet>> alphabets()
{
    return {
        {StrokeAlphabet::digits, {"digits", "Digits 0 to 9", "For training."}},
        {StrokeAlphabet::letters,
         {"letters", "Letters A to J",
          "Drawn by the same generator: classes that a network trained on digits has "
          "never seen."}},
    };
}

std::vector<Field> strokes_fields()
{
    return {
        seed_field(),
        choice(
            {.path  = "data.alphabet",
             .label = "Signs",
             .help  = "The digits 0 to 9, or the letters A to J. Each character has several shapes; thickness, slant, "
                      "rotation, shift and curvature are random."},
            [](auto& s) -> auto& { return s.data.images.alphabet; }, alphabets()),
        drawn_training_images_field(),
        drawn_test_images_field(),
        plain(
            {.path  = "data.variation",
             .label = "Variation",
             .help =
                 "Size of all random variations: 0 draws the plain shapes, 1 resembles handwriting, 2 is scribbled.",
             .min = 0,
             .max = 2},
            [](auto& s) -> auto& { return s.data.images.variation; }),
        only_classes_field(),
        validation_images_field(),
        pixels_field(),
        local_normalisation_field()};
}

void require_strokes(const DataSpec& data)
{
    require_classes(data);
    require_steps(data);
    for (const int k : data.images.only_classes)
        if (k > 9)
            throw Error("data.only_classes",
                        "data.only_classes has " + std::to_string(k) + ", expected classes 0 to 9 of the strokes.");
}

ImageData drawn_strokes(const DataSpec& data)
{
    const ImageSpec& images = data.images;
    StrokeOptions options{.alphabet  = images.alphabet,
                          .n         = static_cast<std::size_t>(images.training_images),
                          .seed      = data.toy.seed,
                          .variation = images.variation};
    ImageData parts;
    parts.training = draw_strokes(options);
    options.first  = options.n;
    options.n      = static_cast<std::size_t>(images.test_images);
    parts.test     = draw_strokes(options);
    return with_only_classes(std::move(parts), data);
}

}   // namespace

/// Images drawn by Credence.
Source strokes_source()
{
    const auto digits = [](const DataSpec& data) { return data.images.alphabet == StrokeAlphabet::digits; };
    return {.id     = "strokes",
            .title  = "Stroke digits",
            .hint   = "28×28 images in MNIST's format, drawn by Credence: no download needed.",
            .fields = strokes_fields(),
            .name   = [digits](const DataSpec& data) -> std::string {
                return digits(data) ? "Stroke digits" : "Stroke letters";
            },
            .check       = require_strokes,
            .load_images = drawn_strokes,
            .relatives   = [digits](const DataSpec& data) -> std::vector<std::string> {
                return {digits(data) ? "stroke-letters" : "stroke-digits"};
            },
            .first_units = 100,
            .first_steps = 1500};
}

}   // namespace credence
