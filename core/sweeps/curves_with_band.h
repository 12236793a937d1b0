// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/training_curves.h"

#include <string>
#include <vector>

namespace credence {

/// The training curves of runs that differ only in their seed.
struct CurveGroup {
    std::string name{};                   ///< of their common settings: "mean_field, 300"
    std::vector<TrainingCurves> runs{};   ///< one per seed
    std::vector<double> roughness{};      ///< of the data loss (loss_roughness), for the runs that have one
};

/// A curve over several runs, at the steps recorded by all of them.
struct CurveBand {
    std::vector<double> step, mean, lower, upper;   ///< lower and upper: mean ∓ sd, divisor n − 1; for one run the mean
};
CurveBand band_of(const std::vector<const TrainingCurves::Curve*>& curves);

/// Draws data loss, KL and errors of all groups, one panel each: the mean over the runs of a group
/// in its colour, mean ± standard deviation around it, and each run as a thin line. Errors are on
/// the test or validation set; classification errors are in percent. The table has the roughness of
/// the data loss, in percent, if any run has one.
Chart to_chart(const std::vector<CurveGroup>& groups);

}   // namespace credence
