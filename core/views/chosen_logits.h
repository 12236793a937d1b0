// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/bridge_scores.h"
#include "posterior/outputs_posterior.h"
#include "simplex/logit_gaussian.h"
#include "views/views.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace credence {

/// Two methods to get from a distribution over weights to a Gaussian over the logits of one input.
enum class LogitsBy {
    linearisation,   ///< N(f(x; mean weights), J Cov Jᵀ), J the Jacobian of f with respect to the
                     ///< weights: exact in the weights, first order in f (Hobbhahn 2020, (3.4))
    samples,         ///< mean and covariance of the logits over weight samples: no linearisation, but Monte
                     ///< Carlo noise; "draws" in files and on the command line
};

/// Returns true if the logits of one input vary: classification, and a family whose weights or
/// masks are random.
bool gives_logits(const RunSnapshot& run);
std::string why_no_logits(const RunSnapshot& run);   ///< the reason and what to do, in one or two sentences

/// Returns true if `linearisation` is available. It is not for dropout, whose noise is in the
/// activations.
bool gives_linearised_logits(const RunSnapshot& run);
std::string why_not_linearised(const RunSnapshot& run);   ///< the reason if it is not available

/// The default: linearisation for a Laplace approximation, which is defined by it; draws for all
/// other posteriors.
LogitsBy usual_logits_by(const RunSnapshot& run);
/// The requested method, otherwise the default.
LogitsBy logits_by(const RunSnapshot& run, const ViewOptions& options);

/// "linearisation", "draws"
const char* name(LogitsBy by);
LogitsBy logits_by_named(const std::string& name);   ///< @throws Error that lists the names

/// The rows' own Gaussians over logits if imported predictions contain them; otherwise null.
const RowOutputs* known_gaussians(const RunSnapshot& run);

/// For captions: " Logits by linearisation; Laplace Bridge: projected."
std::string bridge_text(const RunSnapshot& run, const ViewOptions& options);

/// The Gaussian over the logits of the selected input. Draws are weight samples, even where other
/// views use the linearised network; options.samples or prediction.samples of them, at least 2.
/// @return  empty if `stop` was requested
/// @throws Error as chosen_input does, or if the run has no such logits
std::optional<LogitGaussian> chosen_logits(const RunSnapshot& run, const ViewOptions& options, LogitsBy by,
                                           std::stop_token stop = {});

/// Computes the Gaussians over the logits of the scored set, of other_data and, for images, of the
/// available related sets, with the results and times of sampling and of the bridge. The Gaussians
/// come from linearisation where the family allows it, otherwise from moments of samples. Sets are
/// processed one after another, so that the covariances of only one set are in memory: at most
/// `most_numbers` numbers [rows × K²], with evenly spaced rows for larger sets.
/// @return  null if `stop` was requested
/// @throws Error as other_data does, and for more classes than a covariance can have
std::shared_ptr<const BridgeScores> bridge_scores_of(const RunSnapshot& run, const ViewOptions& options,
                                                     std::stop_token stop);

}   // namespace credence
