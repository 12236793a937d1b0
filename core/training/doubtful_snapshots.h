// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "training/snapshot.h"

#include <memory>
#include <utility>
#include <vector>

namespace credence {

/// Holds back recorded snapshots whose loss is far above the initial loss. Emits them when the loss
/// has recovered or stays at that level; drops them on destruction if the run turns out to have
/// diverged.
class DoubtfulSnapshots {
public:
    using Give = function_ref<void(std::shared_ptr<const Snapshot>)>;

    /// Adds the next recorded snapshot, and emits all held ones unless the loss is far above the
    /// start. @param far  true if its loss is far above the initial loss
    void add(std::shared_ptr<const Snapshot> snapshot, bool far, Give give)
    {
        held_.push_back(std::move(snapshot));
        if (!far || held_.size() > most)
            give_out(give);
    }
    /// The snapshots that are currently held, saved when a run is interrupted.
    std::vector<std::shared_ptr<const Snapshot>>& held() { return held_; }
    void give_out(Give give)
    {
        for (auto& snapshot : held_)
            give(std::move(snapshot));
        held_.clear();
    }

private:
    static constexpr std::size_t most = 8;   // consecutive recorded steps; after more, this level is normal for the run
    std::vector<std::shared_ptr<const Snapshot>> held_;
};

}   // namespace credence
