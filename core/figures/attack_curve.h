// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <span>
#include <string>
#include <vector>

namespace credence {

/// What attacks of rising strength do to the predictions of one run on labelled inputs, and what random signs of the same size do.
struct AttackCurve {
    /// At each strength.
    struct Scores {
        std::vector<double> accuracy;   ///< share right
        std::vector<double> entropy;    ///< mean H(p̄), nats
    };
    std::string name;               ///< of the run
    std::vector<double> epsilons;   ///< rising from 0
    Scores attacked, control;       ///< control: random signs
    double zero_share = 0;          ///< share of exactly zero numbers in the gradients
    double zero_rows  = 0;          ///< share of inputs whose gradient is exactly zero
};

/// Accuracy and mean entropy against ε, a colour for each run, its control dashed; and a table of the strengths in `listed`, with zero gradients.
/// @param unit    of ε
/// @param listed  strengths of the table, of those of the curves
/// Source: the functional-BNN submission, Fig. 3
Chart to_chart(std::span<const AttackCurve> curves, const std::string& unit, std::span<const double> listed);

}   // namespace credence
