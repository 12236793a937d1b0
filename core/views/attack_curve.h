// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <span>
#include <string>
#include <vector>

namespace credence {

/// The effect of attacks of rising strength on one run's predictions of labelled inputs, and that
/// of random signs of the same size.
struct AttackCurve {
    /// One value per strength.
    struct Scores {
        std::vector<double> accuracy;   ///< share right
        std::vector<double> entropy;    ///< mean H(p̄), nats
    };
    std::string name;               ///< of the run
    std::vector<double> epsilons;   ///< rising from 0
    Scores attacked, control;       ///< control: random signs
    double zero_share = 0;          ///< share of gradient entries that are exactly zero
    double zero_rows  = 0;          ///< share of inputs whose gradient is exactly zero
};

/// Accuracy and mean entropy against ε, one colour per run, its control dashed; and a table of the
/// strengths in `listed`, with the shares of zero gradients.
/// @param unit    of ε
/// @param listed  strengths in the table, a subset of those of the curves
/// Source: the functional-BNN submission, Fig. 3
Chart to_chart(std::span<const AttackCurve> curves, const std::string& unit, std::span<const double> listed);

}   // namespace credence
