// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/image_rows.h"

#include "figures/confusion.h"
#include "foundation/error.h"
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

LabelledImages images_of(const Experiment& experiment, ImagePart part)
{
    const auto& data = *experiment.data;
    if (!has_images(experiment))
        throw Error("The data \"" + data.training.name + "\" are no images with classes.");
    if (part == ImagePart::test)
        return {&data.test, data.test_inputs, *data.image, data.test_name};
    return {&data.training, data.training_inputs, *data.image, "training set"};
}

std::vector<std::uint8_t> image_bytes(const Experiment& experiment, ImagePart part, std::size_t row)
{
    const auto images = images_of(experiment, part);
    const auto d      = images.data->n_features;
    if (row >= images.data->n_rows)
        throw Error("Image " + std::to_string(row) + " was asked for, the " + images.name + " has "
                    + std::to_string(images.data->n_rows) + " images.");
    const auto values = view_support::picture_values(experiment, images.inputs.subspan(row * d, d));
    std::vector<std::uint8_t> bytes(values.size());
    std::transform(values.begin(), values.end(), bytes.begin(),
                   [](float value) { return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L)); });
    return bytes;
}

namespace {

PosteriorPredictive rows_predictive_of(const RunMoment& moment, int samples)
{
    const auto& study = moment.experiment->study;
    return {moment.experiment->model, moment.snapshot->posterior, samples > 0 ? samples : study.prediction.samples,
            study.seed};
}

}   // namespace

std::vector<RowPrediction> image_row_predictions(const RunMoment& moment, ImagePart part,
                                                 std::span<const std::uint32_t> rows, int samples, std::stop_token stop)
{
    const auto images = images_of(*moment.experiment, part);
    const auto d      = images.data->n_features;
    aligned_vector<float> inputs;
    inputs.reserve(rows.size() * d);
    for (const std::uint32_t row : rows) {
        const auto image = images.inputs.subspan(row * d, d);
        inputs.insert(inputs.end(), image.begin(), image.end());
    }
    return row_predictions(rows_predictive_of(moment, samples), inputs, static_cast<int>(d),
                           moment.experiment->study.prediction.level, stop);
}

std::vector<RowPrediction> image_row_predictions(const RunMoment& moment, ImagePart part, int samples,
                                                 std::stop_token stop, const RowsArrived& arrived)
{
    const auto images = images_of(*moment.experiment, part);
    return row_predictions(rows_predictive_of(moment, samples), images.inputs,
                           static_cast<int>(images.data->n_features), moment.experiment->study.prediction.level, stop,
                           arrived);
}

Chart image_confusion(const RunMoment& moment, ImagePart part, std::span<const RowPrediction> rows, int samples)
{
    const auto images = images_of(*moment.experiment, part);
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
    return view_support::with_setting(std::move(chart), moment, samples);
}

}   // namespace credence
