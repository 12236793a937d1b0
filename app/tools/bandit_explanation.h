// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/bandit_play.h"

#include <optional>
#include <utility>

/// What to explain about an agent.
struct BanditQuestion {
    std::shared_ptr<BanditPlayer> player;
    std::optional<std::pair<double, double>> place;   ///< of the plane; empty: the next one
    credence::BeliefQuantity quantity = credence::BeliefQuantity::share_eating;
    bool live                         = false;   ///< during the course: a coarser map and fewer samples
};

struct BanditExplanation {
    std::shared_ptr<const credence::Chart> decision;    ///< boxplots of both rewards
    std::shared_ptr<const credence::Chart> beliefs;     ///< a map of the plane, or what the next mushroom looks like
    std::optional<std::pair<double, double>> place{};   ///< of the plane, that the decision is about
};

/// Thread-safe. Empty: stopped, or the agent has not started.
std::optional<BanditExplanation> explain(const BanditQuestion& question, const std::stop_token& stop);
