// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <span>
#include <stop_token>

namespace credence {

/// The sampled outputs of several runs at the selected input, one panel per run, on one scale. Runs
/// on data with a different number of inputs are left out, and so are imported predictions with
/// different rows; the caption lists them.
/// @param options  `input`, in original units; empty: row `row` of each run's own test set
/// @return  empty if `stop` was requested
std::optional<Chart> compare_boxplots(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                      std::stop_token stop = {});

}   // namespace credence
