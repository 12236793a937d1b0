// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "formats/image_folder.h"
#include "prediction/row_predictions.h"
#include "runs/experiment.h"
#include "runs/other_data.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

enum class ImagePart {
    test,
    training,
    foreign,   ///< of other data: their labels are of classes of their own, which the network does not know
};

/// The foreign images of an experiment, kept while they are looked at.
struct ForeignImages {
    std::shared_ptr<const OtherData> other;
    Dataset own;   ///< their own labels and class names; no inputs
};

/// Are there foreign images to look at? Of outputs from elsewhere only with a second file that has images of the size of the first one's.
bool has_foreign_images(const Experiment& experiment);
/// Reads them, which may take seconds the first time. @throws Error (field "prediction.other_data") for a set that cannot be had
std::shared_ptr<const ForeignImages> foreign_images(const std::shared_ptr<const Experiment>& experiment);

/// One part of a Study's images, borrowed from its experiment or from its foreign images.
struct LabelledImages {
    const Dataset* data;             ///< labels and class names; no inputs
    std::span<const float> inputs;   ///< what the network sees [n × pixels]
    ImageShape shape;
    std::string name;   ///< "test set", "validation set", "training set", that of the foreign set
};

/// Are the inputs images with classes?
bool has_images(const Experiment& experiment);

/// Are the rows of the test part images that were kept from training, in place of the test images?
bool has_validation_images(const Experiment& experiment);

/// @param foreign  for ImagePart::foreign; held by the caller as long as what comes back
/// @throws Error if the data are no images
LabelledImages images_of(const Experiment& experiment, ImagePart part, const ForeignImages* foreign = nullptr);

/// One image in original units, 0..255 [channels × height × width].
std::vector<std::uint8_t> image_bytes(const Experiment& experiment, ImagePart part, std::size_t row,
                                      const ForeignImages* foreign = nullptr);

/// Predictions of every image of a part at one moment of a run, with verdicts at the Study's level.
/// @param samples  weight draws; 0: the Study's prediction.samples. Draw s is the same whatever their number
/// @return         empty if stopped
std::vector<RowPrediction> image_row_predictions(const RunMoment& moment, ImagePart part, int samples,
                                                 std::stop_token stop = {}, const RowsArrived& arrived = {});

/// The same of these rows of the part only, in their order.
std::vector<RowPrediction> image_row_predictions(const RunMoment& moment, ImagePart part,
                                                 std::span<const std::uint32_t> rows, int samples,
                                                 std::stop_token stop = {}, const ForeignImages* foreign = nullptr);

/// A picture from anywhere as an input of a run, and what was done to it.
struct PictureInput {
    NamedInput input;        ///< 0..255 [channels × height × width]; "picture seven.png, inverted"
    bool inverted = false;   ///< light for dark
    std::string file;        ///< "seven.png"
    std::string size;        ///< "resized from 300 × 200"
    std::string why;         ///< ": the training images are light on dark"

    std::string note() const { return size + (inverted ? ", inverted" : ", not inverted") + why; }
};

/// The ground that the training images share (images/picture_input.h), by up to 200 of them, evenly chosen. Empty: none, or the data are no images.
std::optional<double> training_ground(const Experiment& experiment);

/// A sentence why no picture from outside can be an input: the data are no images, or outputs from elsewhere, whose net nobody can ask. Empty: it can.
std::optional<std::string> why_no_picture(const Experiment& experiment);
/// Prepares a picture as imported and foreign images are prepared (images/picture_input.h).
/// @param picture  [channels × height × width] of 1 or 3 channels, as `from` says
/// @param file     "seven.png"
/// @param ground   training_ground of the experiment
/// @param invert   in place of what the borders say
/// @throws Error   the sentence of why_no_picture; "found an empty picture, expected at least one pixel."
PictureInput picture_input(const Experiment& experiment, std::span<const std::uint8_t> picture, const ImageShape& from,
                           const std::string& file, std::optional<double> ground, std::optional<bool> invert = {});
/// The same of a picture as it was read from a file or the clipboard.
PictureInput picture_input(const Experiment& experiment, const DecodedPicture& picture, const std::string& file,
                           std::optional<double> ground, std::optional<bool> invert = {});
/// The same picture, light for dark.
PictureInput inverted(PictureInput picture);

/// The confusion matrix of predictions that are at hand, so that it counts what the image grid shows.
/// @param part  no foreign ones, which have no true class to count
/// @param rows  of the part's images; those that are not predicted yet do not count
/// @param samples  weight draws behind them, for the caption
Chart image_confusion(const RunMoment& moment, ImagePart part, std::span<const RowPrediction> rows, int samples);

}   // namespace credence
