// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/class_predictions.h"

#include <optional>

namespace credence {

/// Predictions of an image under increasing disturbance.
struct DisturbanceCurve {
    std::string input;                      ///< "test image 3"
    std::string quantity, unit;             ///< "Rotation", "°"
    std::vector<double> at;                 ///< strengths, rising [n]
    ClassPredictions predictions;           ///< of the image at each strength [n]
    std::vector<std::string> class_names;   ///< [K]
    std::optional<int> true_class;
    std::optional<double> now;       ///< strength of the displayed image
    std::vector<Picture> pictures;   ///< some of the images, with their strengths as captions
};

/// Three panels: pictures, p̄ of each class that reaches 5 % somewhere, predictive entropy with its
/// aleatoric and epistemic parts.
Chart to_chart(const DisturbanceCurve& curve);

}   // namespace credence
