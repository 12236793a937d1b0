// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"

namespace credence {

/// Returns snapshot `index` of the run with its history up to that step. Loads the data again.
/// @throws Error as `prepare`
RunMoment moment_of(const KeptRun& run, std::size_t index);
RunMoment last_moment_of(const KeptRun& run);   ///< @throws Error if the run has no snapshot

}   // namespace credence
