// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/image_rows.h"

#include "foundation/error.h"
#include "foundation/statistics.h"
#include "images/picture_input.h"
#include "views/classification_figures.h"
#include "views/recalibration_fit.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

bool has_images(const Experiment& experiment)
{
    return experiment.data->image.has_value() && experiment.task() == Task::classification;
}

bool has_validation_images(const Experiment& experiment)
{
    return is_images(experiment.study.data.source) && experiment.study.data.images.validation_images > 0;
}

bool has_ood_images(const Experiment& experiment)
{
    if (!has_images(experiment))
        return false;
    const auto* outputs = experiment.outputs.get();
    return !outputs || (outputs->other.n > 0 && !outputs->image(outputs->own.n).empty());
}

std::shared_ptr<const OodImages> ood_images(const std::shared_ptr<const Experiment>& experiment)
{
    OodImages out{.other = other_data(experiment), .own = {}};
    out.own.name        = out.other->name;
    out.own.n_rows      = out.other->n;
    out.own.n_features  = experiment->data->training.n_features;
    out.own.labels      = out.other->labels;
    out.own.class_names = out.other->class_names;
    if (out.own.labels.size() != out.own.n_rows || out.own.class_names.empty()) {   // of a file without labels
        out.own.labels.assign(out.own.n_rows, 0);
        out.own.class_names = {"unknown"};
    }
    return std::make_shared<const OodImages>(std::move(out));
}

LabelledImages images_of(const Experiment& experiment, ImagePart part, const OodImages* ood)
{
    const auto& data = *experiment.data;
    if (!has_images(experiment))
        throw Error("The data \"" + data.training.name + "\" are not images with classes.");
    if (part == ImagePart::ood) {
        if (!ood)
            throw Error("The OOD images are not loaded yet.");
        return {&ood->own, ood->other->inputs, *data.image, ood->other->name};
    }
    if (part == ImagePart::test)
        return {&data.test, data.test_inputs, *data.image, data.test_name};
    return {&data.training, data.training_inputs, *data.image, "training set"};
}

std::vector<std::uint8_t> image_bytes(const Experiment& experiment, ImagePart part, std::size_t row,
                                      const OodImages* ood)
{
    const auto images = images_of(experiment, part, ood);
    const auto d      = images.data->n_features;
    if (row >= images.data->n_rows)
        throw Error("Image " + std::to_string(row) + " was requested, the " + images.name + " has "
                    + std::to_string(images.data->n_rows) + " images.");
    const auto values = view_support::picture_values(experiment, images.inputs.subspan(row * d, d));
    std::vector<std::uint8_t> bytes(values.size());
    std::transform(values.begin(), values.end(), bytes.begin(),
                   [](float value) { return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L)); });
    return bytes;
}

namespace {

PosteriorPredictive rows_predictive_of(const RunSnapshot& run, int samples)
{
    const auto& study = run.experiment->study;
    return PosteriorPredictive(run.experiment->model, run.snapshot->posterior,
                               samples > 0 ? samples : study.prediction.samples, study.seed)
        .recalibrated(recalibration_source(run));
}

}   // namespace

std::vector<RowPrediction> image_row_predictions(const RunSnapshot& run, ImagePart part,
                                                 std::span<const std::uint32_t> rows, int samples, std::stop_token stop,
                                                 const OodImages* ood)
{
    const auto images = images_of(*run.experiment, part, ood);
    const auto d      = images.data->n_features;
    aligned_vector<float> inputs;
    inputs.reserve(rows.size() * d);
    for (const std::uint32_t row : rows) {
        const auto image = images.inputs.subspan(row * d, d);
        inputs.insert(inputs.end(), image.begin(), image.end());
    }
    return row_predictions(rows_predictive_of(run, samples), inputs, static_cast<int>(d),
                           run.experiment->study.prediction.level, stop);
}

std::vector<RowPrediction> image_row_predictions(const RunSnapshot& run, ImagePart part, int samples,
                                                 std::stop_token stop, const RowsArrived& arrived)
{
    const auto images = images_of(*run.experiment, part);
    return row_predictions(rows_predictive_of(run, samples), images.inputs, static_cast<int>(images.data->n_features),
                           run.experiment->study.prediction.level, stop, arrived);
}

namespace {

constexpr std::size_t looked_at = 200;   ///< training images used to find their background

std::string size_note(const PreparedPicture& made, const ImageShape& from, const ImageShape& to)
{
    std::string note = from.height == to.height && from.width == to.width
                           ? "not resized"
                           : "resized from " + std::to_string(from.height) + " × " + std::to_string(from.width);
    if (made.widened)
        note += " with its aspect ratio kept";
    if (from.channels > to.channels)
        note += ", converted to grey";
    return note;
}

std::string reason_of(const PreparedPicture& made, std::optional<double> ground)
{
    if (!ground)
        return ": the training images have varied backgrounds";
    return std::string(": ") + (made.inverted ? "" : "like it, ") + "the training images are "
           + (*ground > 127.5 ? "dark on light" : "light on dark");
}

std::string picture_name(const PictureInput& picture)
{
    return "picture " + picture.file + (picture.inverted ? ", inverted" : "");
}

}   // namespace

std::optional<double> training_ground(const Experiment& experiment)
{
    if (!has_images(experiment))
        return {};
    std::vector<double> borders;
    for (const std::size_t row : evenly_spaced(experiment.data->training.n_rows, looked_at))
        borders.push_back(
            border_brightness(image_bytes(experiment, ImagePart::training, row), *experiment.data->image));
    return shared_ground(std::move(borders));
}

std::optional<std::string> why_no_picture(const Experiment& experiment)
{
    if (experiment.outputs)
        return "Imported predictions have one input per row of " + experiment.outputs->own.name
               + ": they cannot predict a new picture.";
    if (!has_images(experiment))
        return "Pictures can be inputs only of networks trained on images with classes; the data \""
               + experiment.data->training.name + "\" are not.";
    return {};
}

PictureInput picture_input(const Experiment& experiment, std::span<const std::uint8_t> picture, const ImageShape& from,
                           const std::string& file, std::optional<double> ground, std::optional<bool> invert)
{
    if (const auto sentence = why_no_picture(experiment))
        throw Error(*sentence);
    const auto& to  = *experiment.data->image;
    const auto made = prepared_picture(picture, from, to, ground, invert);
    PictureInput out{.input    = {{made.pixels.begin(), made.pixels.end()}, {}},
                     .inverted = made.inverted,
                     .file     = file,
                     .size     = size_note(made, from, to),
                     .why      = invert ? " as you chose" : reason_of(made, ground)};
    out.input.name = picture_name(out);
    return out;
}

PictureInput picture_input(const Experiment& experiment, const DecodedPicture& picture, const std::string& file,
                           std::optional<double> ground, std::optional<bool> invert)
{
    const ImageShape shape{static_cast<int>(picture.channels), static_cast<int>(picture.height),
                           static_cast<int>(picture.width)};
    return picture_input(experiment, picture.pixels, shape, file, ground, invert);
}

PictureInput inverted(PictureInput picture)
{
    for (double& value : picture.input.input)
        value = 255 - value;
    picture.inverted   = !picture.inverted;
    picture.why        = " as you chose";
    picture.input.name = picture_name(picture);
    return picture;
}

Chart image_confusion(const RunSnapshot& run, ImagePart part, std::span<const RowPrediction> rows, int samples)
{
    const auto images = images_of(*run.experiment, part);
    const auto K      = images.data->n_classes();
    Confusion counted{.class_names = images.data->class_names, .counts = std::vector<long>(K * K)};
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].predicted >= 0 && !images.data->labels.empty()) {
            ++counted.counts[static_cast<std::size_t>(images.data->labels[i]) * K
                             + static_cast<std::size_t>(rows[i].predicted)];
            ++counted.n;
        }
    Chart chart = to_chart(counted);
    chart.caption += " Rows: the " + images.name + ".";
    return view_support::with_setting(std::move(chart), run, samples);
}

}   // namespace credence
