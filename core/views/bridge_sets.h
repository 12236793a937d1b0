// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/bridge_scores.h"
#include "views/views.h"

#include <memory>

namespace credence {

/// The Gaussians over the logits of the scored set, of other_data and, for images, of its relatives at hand; what sampling and the bridge make of them, with
/// times. Gaussians by linearisation where the family allows it, else by moments of draws. Sets are looked at one after another, so that only one set's
/// covariances are held: at most `most_numbers` numbers [rows × K²], evenly over the set where there are more.
/// @return  null if `stop` was requested
/// @throws Error as other_data does, and for more classes than a covariance may have
std::shared_ptr<const BridgeScores> bridge_scores_of(const RunMoment& moment, const ViewOptions& options,
                                                     std::stop_token stop);

}   // namespace credence
