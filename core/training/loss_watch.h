// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "foundation/state_bytes.h"
#include "training/snapshot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace credence {

/// Monitors the losses of a training: whether they still improve, and whether one is far above the
/// initial loss.
class LossWatch {
public:
    /// Returns true if the smoothed loss had its minimum within the last `patience` steps, or if
    /// there is no such limit.
    /// @param loss  of step `done`, the first of which is 1
    bool makes_progress(double loss, long done, long patience)
    {
        if (patience <= 0)
            return true;
        smoothed_ = done == 1 ? loss : smoothing * smoothed_ + (1 - smoothing) * loss;
        if (smoothed_ < lowest_) {
            lowest_    = smoothed_;
            lowest_at_ = done;
        }
        return done - lowest_at_ < patience;
    }
    void begin_patience_at(long step) { lowest_at_ = step; }

    /// Returns true if the loss is suspiciously large compared with the first recorded loss, which
    /// can be this one.
    bool far_from_start(double loss)
    {
        if (!start_)
            start_ = loss;
        return loss > *start_ + far_above_start * std::max(1.0, std::fabs(*start_));
    }

    void rows_changed()   ///< losses on the old rows are not comparable
    {
        lowest_ = std::numeric_limits<double>::infinity();
        start_.reset();
    }

    void serialise(StateBytes& state)
    {
        state.value(start_);
        state.value(smoothed_);
        state.value(lowest_);
        state.within(lowest_at_, 0, std::numeric_limits<long>::max());
    }

private:
    static constexpr double smoothing       = 0.99;   // per step
    static constexpr double far_above_start = 10;     // times the initial loss

    std::optional<double> start_;   // at the first recorded step
    double smoothed_ = 0;
    double lowest_   = std::numeric_limits<double>::infinity();
    long lowest_at_  = 0;   // the step of the lowest one
};

/// Delays recorded snapshots whose loss is far above the initial loss. Emits them when the loss has
/// recovered or stays at that level; discards them on destruction if the run turns out to have
/// diverged.
class SuspectSnapshots {
public:
    using Give = function_ref<void(std::shared_ptr<const Snapshot>)>;

    /// Adds the next recorded snapshot. Emits all delayed ones unless its loss is far above the
    /// initial loss.
    /// @param far  true if its loss is far above the initial loss
    void add(std::shared_ptr<const Snapshot> snapshot, bool far, Give give)
    {
        held_.push_back(std::move(snapshot));
        if (!far || held_.size() > most)
            give_out(give);
    }
    /// The delayed snapshots, saved when a run is interrupted.
    std::vector<std::shared_ptr<const Snapshot>>& held() { return held_; }
    void give_out(Give give)
    {
        for (auto& snapshot : held_)
            give(std::move(snapshot));
        held_.clear();
    }

private:
    // Consecutive recorded steps; beyond that, the level counts as normal for the run
    static constexpr std::size_t most = 8;
    std::vector<std::shared_ptr<const Snapshot>> held_;
};

}   // namespace credence
