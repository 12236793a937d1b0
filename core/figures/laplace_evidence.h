// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <optional>
#include <vector>

namespace credence {

/// The evidence of each prior precision, and its effect on the confidence.
struct LaplaceEvidence {
    std::vector<double> precision;                  ///< λ, rising [n]
    std::vector<double> log_evidence;               ///< ln p(D|λ), nats [n]
    double best_precision = 1, best = 0;            ///< the maximum
    double now = 1, log_evidence_now = 0;           ///< of the displayed posterior
    double weight_decay_precision            = 0;   ///< N · weight decay, used to train the point estimate; 0: none
    std::vector<double> confidence_precision = {},
                        confidence           = {};   ///< mean of max p̄ over training inputs; empty: not requested
    std::optional<double> map_confidence     = {};   ///< of the point estimate
    std::optional<double> target             = {};   ///< target confidence
};

/// One or two panels over λ on a logarithmic axis.
Chart to_chart(const LaplaceEvidence& evidence);

}   // namespace credence
