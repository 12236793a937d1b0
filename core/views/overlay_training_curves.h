// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/training_curves.h"
#include "views/views.h"

#include <span>
#include <variant>

namespace credence {

TrainingCurves training_curves_of(const RunSnapshot& run);

/// The curves of several runs with distinct names; or the reason why they cannot share a panel.
std::variant<std::vector<TrainingCurves>, std::string> curves_of_runs(std::span<const RunSnapshot> runs);

/// "… Name: setting. Name: setting." for the caption.
std::string settings_of_runs(std::span<const RunSnapshot> runs);

}   // namespace credence
