// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/bridge_scores.h"
#include "views/views.h"

#include <memory>

namespace credence {

/// Returns the Gaussians over the logits of the scored set, of other_data and, for images, of the
/// available related sets, with the results and times of sampling and of the bridge. The Gaussians
/// come from linearisation where the family allows it, otherwise from moments of samples. Sets are
/// processed one after another, so that only one set's covariances are in memory: at most
/// `most_numbers` numbers [rows × K²], with rows evenly spaced over larger sets.
/// @return  null if `stop` was requested
/// @throws Error as other_data does, and for more classes than a covariance can have
std::shared_ptr<const BridgeScores> bridge_scores_of(const RunSnapshot& run, const ViewOptions& options,
                                                     std::stop_token stop);

}   // namespace credence
