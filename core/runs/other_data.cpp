// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/other_data.h"

#include "foundation/error.h"
#include "foundation/statistics.h"
#include "images/picture_input.h"
#include "random/noise.h"
#include "runs/image_data.h"
#include "sources/image_sources.h"
#include "study/source.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence {

namespace {

constexpr std::size_t most = 10000, n_points = 2000;

std::string shape_text(const ImageShape& shape)
{
    return (shape.channels > 1 ? std::to_string(shape.channels) + " × " : std::string()) + std::to_string(shape.height)
           + " × " + std::to_string(shape.width);
}

/// The images of the classes that the study leaves out, from its own test part.
std::optional<ImageSet> left_out(const Study& study)
{
    if (study.data.images.only_classes.empty())
        return {};
    DataSpec whole            = study.data;
    whole.images.only_classes = {};
    whole.images.per_class = whole.images.first_images = whole.images.validation_images = 0;
    const auto all  = study_images(whole, study.split.seed).test;
    const auto& own = study.data.images.only_classes;
    ImageSet rest{.name        = "other classes of " + all.name,
                  .n           = 0,
                  .channels    = all.channels,
                  .height      = all.height,
                  .width       = all.width,
                  .pixels      = {},
                  .labels      = {},
                  .class_names = all.class_names};
    for (std::size_t i = 0; i < all.n; ++i)
        if (std::find(own.begin(), own.end(), all.labels[i]) == own.end()) {
            const auto image = all.image(i);
            rest.pixels.insert(rest.pixels.end(), image.begin(), image.end());
            rest.labels.push_back(all.labels[i]);
            ++rest.n;
        }
    if (rest.n == 0)
        return {};
    return rest;
}

/// Installed sets that suit as out-of-distribution data for this one, without itself.
std::vector<std::string> relatives_of(const Study& study)
{
    const auto& relatives = source_of(study.data).relatives;
    return relatives ? relatives(study.data) : std::vector<std::string>();
}

std::string partner(const Study& study)
{
    const auto relatives = relatives_of(study);
    return relatives.empty() ? "stroke-letters" : relatives.front();
}

ImageSet test_images_of(const std::string& set)
{
    auto data = load_image_data(set);
    return data.test.n > 0 ? std::move(data.test) : std::move(data.training);
}

ImageSet ood_images(const Study& study)
{
    if (study.prediction.other_data.empty())
        if (auto rest = left_out(study))
            return std::move(*rest);
    try {
        return test_images_of(study.prediction.other_data.empty() ? partner(study) : study.prediction.other_data);
    } catch (const Error& error) {
        throw Error("prediction.other_data", error.what());
    }
}

OtherData other_images(const Experiment& experiment, const ImageSet& set)
{
    const auto& data = *experiment.data;
    const ImageShape from{static_cast<int>(set.channels), static_cast<int>(set.height), static_cast<int>(set.width)},
        to = *data.image;
    OtherData out{.name        = set.name,
                  .note        = from == to ? "" : "resized from " + shape_text(from),
                  .inputs      = {},
                  .n           = std::min(set.n, most),
                  .labels      = {},
                  .class_names = set.class_names};
    const auto d = static_cast<std::size_t>(to.size());
    out.inputs.reserve(out.n * d);
    for (const std::size_t row : evenly_spaced(set.n, most)) {
        const auto image = set.image(row);
        out.labels.push_back(set.labels[row]);
        if (from == to)
            out.inputs.insert(out.inputs.end(), image.begin(), image.end());
        else {
            const auto fitted = resized(image, from, to);
            out.inputs.insert(out.inputs.end(), fitted.begin(), fitted.end());
        }
    }
    data.inputs.apply(out.inputs);
    return out;
}

/// Uniform over the widened box, outside the box of the data.
OtherData other_points(const Experiment& experiment)
{
    const auto& training = experiment.data->training;
    const std::size_t d  = training.n_features;
    std::vector<double> low(d, std::numeric_limits<double>::infinity()),
        high(d, -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < training.n_rows; ++i)
        for (std::size_t j = 0; j < d; ++j) {
            low[j]  = std::min(low[j], training.row(i)[j]);
            high[j] = std::max(high[j], training.row(i)[j]);
        }
    OtherData out{.name        = "points beyond the data",
                  .note        = "uniform over a box three times as wide, outside the data's own box",
                  .inputs      = {},
                  .n           = n_points,
                  .labels      = {},
                  .class_names = {}};
    std::vector<float> numbers(d);
    std::vector<double> point(d), points;
    const NoiseKey key{experiment.study.seed, Stream::figures, 1};
    for (std::uint64_t tried = 0; points.size() < n_points * d; ++tried) {
        uniforms(key, tried * d, std::span<float>(numbers));
        bool inside = true;
        for (std::size_t j = 0; j < d; ++j) {
            const double width = high[j] > low[j] ? high[j] - low[j]
                                                  : 1.0;   // a constant input varies over half its box
            point[j]           = low[j] - width + (high[j] - low[j] + 2 * width) * static_cast<double>(numbers[j]);
            inside             = inside && point[j] >= low[j] && point[j] <= high[j];
        }
        if (!inside)
            points.insert(points.end(), point.begin(), point.end());
    }
    const auto z = experiment.data->inputs.standardised(points);
    out.inputs.assign(z.begin(), z.end());
    return out;
}

/// The rows of the out-of-distribution file, which are numbered after those of the first file.
OtherData other_rows(const ImportedOutputs& outputs)
{
    if (outputs.other.n == 0)
        throw Error("prediction.other_data",
                    outputs.own.name + " has no OOD predictions. Open a second file as OOD data.");
    OtherData out{.name        = outputs.other.name,
                  .note        = "",
                  .inputs      = {},
                  .n           = outputs.other.n,
                  .labels      = outputs.other.labels,
                  .class_names = outputs.other.class_names};
    for (std::size_t i = 0; i < out.n; ++i)
        out.inputs.push_back(static_cast<float>(outputs.own.n + i));
    return out;
}

OtherData loaded_other(const Experiment& experiment)
{
    if (experiment.outputs)
        return other_rows(*experiment.outputs);
    return experiment.data->image ? other_images(experiment, ood_images(experiment.study)) : other_points(experiment);
}

}   // namespace

NamedInput other_input(const Experiment& experiment, const OtherData& other, std::size_t row)
{
    if (row >= other.n)
        throw Error("Row " + std::to_string(row) + " was requested, but " + other.name + " has rows 0 to "
                    + std::to_string(other.n - 1) + ".");
    const bool image    = experiment.data->image.has_value();
    const std::size_t d = other.inputs.size() / other.n;
    const auto first    = other.inputs.begin() + static_cast<std::ptrdiff_t>(row * d);
    NamedInput out{experiment.data->inputs.undone(std::span(&*first, d)),
                   (image ? "image " : "row ") + std::to_string(row) + " of " + other.name};
    if (image && !experiment.outputs)
        for (double& value : out.input)
            value = std::clamp(std::round(value), 0.0, 255.0);
    if (row < other.labels.size() && other.labels[row] >= 0
        && static_cast<std::size_t>(other.labels[row]) < other.class_names.size())
        out.name += " (class " + other.class_names[static_cast<std::size_t>(other.labels[row])] + ")";
    return out;
}

std::vector<std::string> further_data(const Experiment& experiment)
{
    const auto& study = experiment.study;
    if (!experiment.data->image || experiment.outputs)
        return {};
    auto sets       = relatives_of(study);
    const bool rest = study.prediction.other_data.empty()
                      && !study.data.images.only_classes.empty();   // other_data has the classes left out
    std::erase(sets, rest                                  ? std::string()
                     : study.prediction.other_data.empty() ? partner(study)
                                                           : study.prediction.other_data);
    return sets;
}

OtherData load_further_data(const Experiment& experiment, const std::string& set)
{
    return other_images(experiment, test_images_of(set));
}

std::shared_ptr<const OtherData> other_data(const std::shared_ptr<const Experiment>& experiment)
{
    return experiment->other_data.get([&] { return loaded_other(*experiment); });
}

}   // namespace credence
