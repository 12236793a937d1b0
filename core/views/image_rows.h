// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "formats/image_folder.h"
#include "prediction/set_predictions.h"
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
    ood,   ///< out-of-distribution (OOD) images: their labels belong to other classes than the
           ///< network's
};

/// The OOD images of an experiment, stored while they are used.
struct OodImages {
    std::shared_ptr<const OtherData> other;
    Dataset own;   ///< their own labels and class names; no inputs
};

/// Returns true if there are OOD images to show. Imported predictions have them only with a second
/// file that contains images of the same size.
bool has_ood_images(const Experiment& experiment);
/// Reads the OOD images, which can take seconds the first time. @throws Error (field
/// "prediction.other_data") if the set cannot be loaded
std::shared_ptr<const OodImages> ood_images(const std::shared_ptr<const Experiment>& experiment);

/// One part of a Study's images, borrowed from its experiment or from its OOD images.
struct LabelledImages {
    const Dataset* data;             ///< labels and class names; no inputs
    std::span<const float> inputs;   ///< the network's inputs [n × pixels]
    ImageShape shape;
    std::string name;   ///< "test set", "validation set", "training set", or the name of the OOD
                        ///< set
};

/// Returns true if the inputs are images with classes.
bool has_images(const Experiment& experiment);

/// Returns true if the test part holds validation images, held out from training, instead of the
/// test images.
bool has_validation_images(const Experiment& experiment);

/// @param ood  for ImagePart::ood; must outlive the result
/// @throws Error if the data are not images
LabelledImages images_of(const Experiment& experiment, ImagePart part, const OodImages* ood = nullptr);

/// One image in original units, 0..255 [channels × height × width].
std::vector<std::uint8_t> image_bytes(const Experiment& experiment, ImagePart part, std::size_t row,
                                      const OodImages* ood = nullptr);

/// Predicts every image of a part at one snapshot of a run, with verdicts at the Study's level.
/// @param samples  weight samples; 0: the Study's prediction.samples. Sample s does not depend on
/// their number
/// @return         empty if stopped
std::vector<RowPrediction> image_row_predictions(const RunSnapshot& run, ImagePart part, int samples,
                                                 std::stop_token stop = {}, const RowsArrived& arrived = {});

/// Predicts only the given rows of the part, in their order.
std::vector<RowPrediction> image_row_predictions(const RunSnapshot& run, ImagePart part,
                                                 std::span<const std::uint32_t> rows, int samples,
                                                 std::stop_token stop = {}, const OodImages* ood = nullptr);

/// A picture from any source as an input of a run, and how it was converted.
struct PictureInput {
    NamedInput input;        ///< 0..255 [channels × height × width]; "picture seven.png, inverted"
    bool inverted = false;   ///< light and dark swapped
    std::string file;        ///< "seven.png"
    std::string size;        ///< "resized from 300 × 200"
    std::string why;         ///< ": the training images are light on dark"

    std::string note() const { return size + (inverted ? ", inverted" : ", not inverted") + why; }
};

/// The background that the training images share (images/picture_input.h), from up to 200 of them,
/// evenly spaced. Empty: none, or the data are not images.
std::optional<double> training_ground(const Experiment& experiment);

/// Returns why an external image cannot be an input: the data are not images, or the run has
/// imported predictions only. Empty: it can.
std::optional<std::string> why_no_picture(const Experiment& experiment);
/// Converts a picture in the same way as imported and OOD images (images/picture_input.h).
/// @param picture  [channels × height × width] with 1 or 3 channels, as given by `from`
/// @param file     "seven.png"
/// @param ground   training_ground of the experiment
/// @param invert   overrides the decision made from the borders
/// @throws Error   the sentence of why_no_picture; "found an empty picture, expected at least one
/// pixel."
PictureInput picture_input(const Experiment& experiment, std::span<const std::uint8_t> picture, const ImageShape& from,
                           const std::string& file, std::optional<double> ground, std::optional<bool> invert = {});
/// Converts an image read from a file or the clipboard.
PictureInput picture_input(const Experiment& experiment, const DecodedPicture& picture, const std::string& file,
                           std::optional<double> ground, std::optional<bool> invert = {});
/// Returns the image with light and dark swapped.
PictureInput inverted(PictureInput picture);

/// Returns the confusion matrix of existing predictions, so that it counts what the image grid
/// shows.
/// @param part  not the OOD images, which have no true class
/// @param rows  predictions of the part's images; images not predicted yet are not counted
/// @param samples  number of weight samples of the predictions, for the caption
Chart image_confusion(const RunSnapshot& run, ImagePart part, std::span<const RowPrediction> rows, int samples);

}   // namespace credence
