// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <span>

namespace credence {

/// Decision maps of several runs side by side, on one region and one colour scale.
/// @return  empty if `stop` was requested; a run without a map becomes a message
std::optional<Chart> compare_decision_maps(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                           std::stop_token stop = {});

}   // namespace credence
