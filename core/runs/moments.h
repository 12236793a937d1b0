// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"

namespace credence {

/// Returns snapshot `index` of the run with its history up to that step. Loads the data again.
/// @throws Error as `prepare`
RunSnapshot moment_of(const SavedRun& run, std::size_t index);
RunSnapshot last_moment_of(const SavedRun& run);   ///< @throws Error if the run has no snapshot

}   // namespace credence
