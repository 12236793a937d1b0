// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/bandit_play.h"

#include <optional>
#include <utility>

/// What to explain about an agent.
struct BanditQuestion {
    std::shared_ptr<BanditPlayer> player;
    std::optional<std::pair<double, double>> place;   ///< position in the plane; empty: the next mushroom
    credence::BeliefQuantity quantity = credence::BeliefQuantity::share_eating;
    bool live                         = false;   ///< during the course: a coarser map and fewer samples
};

struct BanditExplanation {
    std::shared_ptr<const credence::Chart> decision;   ///< box plots of both rewards
    /// a map of the plane, or the appearance of the next mushroom
    std::shared_ptr<const credence::Chart> beliefs;
    std::optional<std::pair<double, double>> place{};   ///< position in the plane to which the decision refers
};

/// Thread-safe. Empty: stopped, or the agent has not started.
std::optional<BanditExplanation> explain(const BanditQuestion& question, const std::stop_token& stop);
