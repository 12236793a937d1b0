// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/row_predictions.h"
#include "runs/experiment.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace credence {

enum class ImagePart { test, training };

/// One part of a Study's images, borrowed from its experiment.
struct LabelledImages {
    const Dataset* data;             ///< labels and class names; no inputs
    std::span<const float> inputs;   ///< what the network sees [n × pixels]
    ImageShape shape;
    std::string name;   ///< "test set", "validation set", "training set"
};

/// Are the inputs images with classes?
bool has_images(const Experiment& experiment);

/// Are the rows of the test part images that were kept from training, in place of the test images?
bool has_validation_images(const Experiment& experiment);

/// @throws Error if the data are no images
LabelledImages images_of(const Experiment& experiment, ImagePart part);

/// One image in original units, 0..255 [channels × height × width].
std::vector<std::uint8_t> image_bytes(const Experiment& experiment, ImagePart part, std::size_t row);

/// Predictions of every image of a part at one moment of a run, with verdicts at the Study's level.
/// @param samples  weight draws; 0: the Study's prediction.samples. Draw s is the same whatever their number
/// @return         empty if stopped
std::vector<RowPrediction> image_row_predictions(const RunMoment& moment, ImagePart part, int samples,
                                                 std::stop_token stop = {}, const RowsArrived& arrived = {});

/// The same of these rows of the part only, in their order.
std::vector<RowPrediction> image_row_predictions(const RunMoment& moment, ImagePart part,
                                                 std::span<const std::uint32_t> rows, int samples,
                                                 std::stop_token stop = {});

/// The confusion matrix of predictions that are at hand, so that it counts what the image grid shows.
/// @param rows  of the part's images; those that are not predicted yet do not count
/// @param samples  weight draws behind them, for the caption
Chart image_confusion(const RunMoment& moment, ImagePart part, std::span<const RowPrediction> rows, int samples);

}   // namespace credence
