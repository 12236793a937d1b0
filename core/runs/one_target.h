// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <cstddef>
#include <optional>
#include <string>

namespace credence {

/// Returns the run as if it predicted only one of its numeric targets: the same network and
/// posterior, with the data and the likelihood of this target. Scores, views and predictions of
/// several targets are computed from such runs, one target at a time. The last few are cached.
/// Results cached for one of them (result_cache.h) stay valid for a later one of the same target.
/// @param target  from 0. A run with one target is returned unchanged
RunSnapshot run_of_target(const RunSnapshot& run, std::size_t target);

/// Returns why a feature that needs a single target is not available. Empty: the run has one
/// target.
std::optional<std::string> why_not_one_target(const Experiment& experiment);

}   // namespace credence
