// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <span>
#include <stop_token>

namespace credence {

/// Several runs beside the true posterior: the first run of NUTS among them, else the first of HMC. A row a run, and a first one for the one half of the chains of the truth
/// against the other, which is what chance alone would make of a method without error; the others by their distance over the map or along x, the nearest first. Of two inputs maps of the distance, of one input and a number to predict the bands, a panel a
/// run, on one scale. No run of chains among them, or other data: a message.
/// @return  empty if `stop` was requested
/// @throws Error if the chains have not made enough draws yet
std::optional<Chart> compare_truth(std::span<const RunMoment> runs, const ViewOptions& options,
                                   std::stop_token stop = {});

}   // namespace credence
