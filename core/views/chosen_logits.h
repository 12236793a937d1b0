// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/row_outputs.h"
#include "simplex/logit_gaussian.h"
#include "views/views.h"

#include <optional>
#include <stop_token>
#include <string>

namespace credence {

/// Two ways from a distribution over weights to a Gaussian over the logits of one input.
enum class LogitsBy {
    linearisation,   ///< N(f(x; mean weights), J Cov Jᵀ), J the Jacobian of f in the weights: exact in the weights, first order in f (Hobbhahn 2020, (3.4))
    draws,   ///< mean and covariance of the logits over draws of the weights: nothing linearised, but the noise of finitely many draws
};

/// Are there different logits for one input: classification, and a family whose weights or masks vary?
bool gives_logits(const RunMoment& moment);
std::string
why_no_logits(const RunMoment& moment);   ///< for a view that has none to show: one or two sentences with what to do

/// Can `linearisation` be asked for? Not of dropout: its noise sits in the activations.
bool gives_linearised_logits(const RunMoment& moment);
std::string why_not_linearised(const RunMoment& moment);   ///< where it cannot

/// What views take where nothing else is asked for: linearisation of a Laplace approximation, as it is meant; draws of all other posteriors.
LogitsBy usual_logits_by(const RunMoment& moment);
/// What was asked for, or else the usual one.
LogitsBy logits_by(const RunMoment& moment, const ViewOptions& options);

/// "linearisation", "draws"
const char* name(LogitsBy by);
LogitsBy logits_by_named(const std::string& name);   ///< @throws Error that lists the names

/// The rows' own Gaussians over logits, where outputs from elsewhere have them; else null.
const RowOutputs* known_gaussians(const RunMoment& moment);

/// What captions say: " Logits by linearisation; Laplace Bridge: projected."
std::string bridge_text(const RunMoment& moment, const ViewOptions& options);

/// The Gaussian over the logits of the chosen input of the views. Draws: of the weights, also where the other views read them by the linearised net; options.samples
/// or prediction.samples of them, at least 2.
/// @return  empty if `stop` was requested
/// @throws Error as chosen_input does, or if the run gives no logits of this kind
std::optional<LogitGaussian> chosen_logits(const RunMoment& moment, const ViewOptions& options, LogitsBy by,
                                           std::stop_token stop = {});

}   // namespace credence
