// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <cstddef>
#include <optional>
#include <string>

namespace credence {

/// Returns the same run as if it predicted one of its numeric targets only: the same network and
/// posterior, with the data and the likelihood of this target. Scores, views and predictions of several
/// targets are made of such runs, one target at a time. The last few are cached. Results that are cached for one of
/// them (kept_results.h) also belong to the next one of the same target.
/// @param target  from 0. A run with one target is returned unchanged
RunSnapshot run_of_target(const RunSnapshot& run, std::size_t target);

/// Why something that needs a single target is not available. Empty: the run has one.
std::optional<std::string> why_not_one_target(const Experiment& experiment);

}   // namespace credence
