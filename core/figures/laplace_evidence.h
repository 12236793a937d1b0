// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <optional>
#include <vector>

namespace credence {

/// How probable the data are under each prior precision, and what the precision does to the confidence.
struct LaplaceEvidence {
    std::vector<double> precision;          ///< λ, rising [n]
    std::vector<double> log_evidence;       ///< ln p(D|λ), nats [n]
    double best_precision = 1, best = 0;    ///< the maximum
    double now = 1, log_evidence_now = 0;   ///< of the posterior on show
    double weight_decay_precision = 0;      ///< N · weight decay, under which the point estimate was trained; 0: none
    std::vector<double> confidence_precision = {},
                        confidence           = {};   ///< mean of max p̄ over training inputs; empty: not asked for
    std::optional<double> map_confidence     = {};   ///< of the point estimate
    std::optional<double> target             = {};   ///< confidence that is aimed at
};

/// One or two panels over λ on a logarithmic axis.
Chart to_chart(const LaplaceEvidence& evidence);

}   // namespace credence
