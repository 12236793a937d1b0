// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/training_curves.h"
#include "views/views.h"

#include <span>

namespace credence {

TrainingCurves training_curves_of(const RunMoment& moment);

/// Training curves of several runs over one another.
Chart overlay_training_curves(std::span<const RunMoment> runs);

}   // namespace credence
