// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "unit/sweeps/small_sweep.h"

#include <functional>

namespace credence {

/// Two rates and two widths with three seeds each, without a run: the NLL of each cell by
/// `nll`(rate, width, seed), each from 0; on validation ten times as much.
inline SweepResults scores_by_hand(const std::function<std::optional<double>(int, int, int)>& nll)
{
    SweepResults results{
        .sweep = sweep_of(
            R"({"base": "xor", "axes": {"training.learning_rate": [0.01, 0.1], "network.hidden": [[4], [8]],
        "seed": [1, 2, 3]}, "choose": {"axis": "training.learning_rate", "by": "NLL"}})"),
        .cells  = {},
        .scores = {},
        .states = {}};
    for (std::size_t i = 0; i < 12; ++i) {
        SweepCell cell{.index = i, .at = {i / 6, i / 3 % 2, i % 3}, .study = {}, .hash = "cell" + std::to_string(i)};
        const auto value = nll(static_cast<int>(cell.at[0]), static_cast<int>(cell.at[1]),
                               static_cast<int>(cell.at[2]));
        results.cells.push_back(std::move(cell));
        results.states.push_back({value ? CellState::done : CellState::waiting});
        results.scores.emplace_back();
        if (!value)
            continue;
        CellScores scores;
        scores.scores         = {{{false, "Inputs", ""}, 40.0},
                                 {{false, "NLL", "nats per example"}, *value},
                                 {{false, "Accuracy", ""}, 1 - *value},
                                 {{false, "Mean confidence (MMC)", ""}, 0.5},
                                 {{true, "NLL", "nats per example"}, 10 * *value}};
        scores.steps          = 7;
        scores.seconds        = 0.25;
        results.scores.back() = std::move(scores);
    }
    return results;
}

}   // namespace credence
