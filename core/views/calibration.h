// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/calibration.h"
#include "prediction/class_predictions.h"

namespace credence {

/// Reliability diagram with ECE, and the rejection curve by predictive entropy.
struct Calibration {
    std::vector<ReliabilityBin> bins;   ///< empty without inputs
    double ece      = 0;
    double accuracy = 0, mean_confidence = 0;
    std::vector<RejectionPoint> rejection;   ///< from none rejected to all but one
    long n = 0;
};
Calibration calibration(const ClassPredictions& predictions, std::span<const int> labels);
Chart to_chart(const Calibration& calibration);

}   // namespace credence
