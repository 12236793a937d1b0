// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "training/snapshot.h"

#include <memory>
#include <utility>
#include <vector>

namespace credence {

/// Recorded snapshots whose loss is far above the start's: given out when the loss has come back or the run goes on like that, dropped with this object when it turns out to
/// have diverged.
class DoubtfulSnapshots {
public:
    using Give = function_ref<void(std::shared_ptr<const Snapshot>)>;

    /// Takes the next recorded one, and gives out all that are held unless the run is in doubt. @param far  its loss is far above the start's
    void add(std::shared_ptr<const Snapshot> snapshot, bool far, Give give)
    {
        held_.push_back(std::move(snapshot));
        if (!far || held_.size() > most)
            give_out(give);
    }
    /// Those that are held now, for a run that is interrupted and goes on.
    std::vector<std::shared_ptr<const Snapshot>>& held() { return held_; }
    void give_out(Give give)
    {
        for (auto& snapshot : held_)
            give(std::move(snapshot));
        held_.clear();
    }

private:
    static constexpr std::size_t most = 8;   // recorded steps in a row; more are what this run is like
    std::vector<std::shared_ptr<const Snapshot>> held_;
};

}   // namespace credence
