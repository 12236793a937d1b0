// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/class_predictions.h"

#include <optional>

namespace credence {

/// What the draws say while an image is disturbed more and more.
struct DisturbanceCurve {
    std::string input;                      ///< "test image 3"
    std::string quantity, unit;             ///< "Rotation", "°"
    std::vector<double> at;                 ///< strengths, rising [n]
    ClassPredictions predictions;           ///< of the image at each of them [n]
    std::vector<std::string> class_names;   ///< [K]
    std::optional<int> true_class;
    std::optional<double> now;       ///< strength of the image on show
    std::vector<Picture> pictures;   ///< some of the images, captioned with their strength
};

/// Three panels: pictures, p̄ of each class that reaches 5 % somewhere, predictive entropy with its aleatoric and epistemic parts.
Chart to_chart(const DisturbanceCurve& curve);

}   // namespace credence
