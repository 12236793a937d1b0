// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/training_curves.h"

#include <string>
#include <vector>

namespace credence {

/// The training curves of runs that differ in their seed alone.
struct CurveGroup {
    std::string name{};                   ///< of what they share: "mean_field, 300"
    std::vector<TrainingCurves> runs{};   ///< one a seed
    std::vector<double> roughness{};      ///< of the data loss, training/loss_roughness.h, of the runs that have one
};

/// A curve over several runs, at the steps that all of them recorded.
struct CurveBand {
    std::vector<double> step, mean, lower, upper;   ///< lower and upper: mean ∓ sd, divisor n − 1; of one run the mean
};
CurveBand band_of(const std::vector<const TrainingCurves::Curve*>& curves);

/// Draws data loss, KL and errors of all groups, a panel each: the mean over the runs of a group in its colour, mean ± standard deviation around it, and each run as a thin line.
/// Errors are those of the test or validation set. Errors of classes are in percent. The table has the roughness of the data loss, in percent, where any run has one.
Chart to_chart(const std::vector<CurveGroup>& groups);

}   // namespace credence
