// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/class_predictions.h"

namespace credence {

/// How well a network separates in-distribution from out-of-distribution inputs, by three measures
/// of uncertainty (docs/maths.md, section 8; Hobbhahn 2020, Table 5.1).
/// AUROC = P(in is more certain than out) + ½ P(equal): 1 if every OOD input is more uncertain, ½
/// if the network cannot separate them.
struct OutOfDistribution {
    long n_in = 0, n_out = 0;
    double mmc_in = 0, mmc_out = 0;                             ///< mean of max p̄
    double mean_entropy_in = 0, mean_entropy_out = 0;           ///< of H(p̄), nats
    double mean_information_in = 0, mean_information_out = 0;   ///< of H(p̄) − E H(p_s), nats
    double auroc_confidence  = 0.5;                             ///< score max p̄, by confidence_scores
    double auroc_entropy     = 0.5;                             ///< score −H(p̄)
    double auroc_information = 0.5;                             ///< score −(H(p̄) − E H(p_s))
};
/// @throws Error if one side is empty or the two have different classes
OutOfDistribution out_of_distribution(const ClassPredictions& in, const ClassPredictions& out);

}   // namespace credence
