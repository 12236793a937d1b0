// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <span>
#include <stop_token>

namespace credence {

/// Compares several runs with the reference posterior: the first NUTS run among them, otherwise the
/// first HMC run. One row per run. The first row compares the two halves of the reference chains:
/// the Monte Carlo noise floor. The others are sorted by their distance over the map or along x.
/// For two inputs the panels are maps of the distance; for one input and a numeric target they are
/// the bands; one panel per run, on one scale. Without a chain run, or with different data: a
/// message.
/// @return  empty if `stop` was requested
/// @throws Error if the chains do not have enough draws yet
std::optional<Chart> compare_reference(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                       std::stop_token stop = {});

}   // namespace credence
