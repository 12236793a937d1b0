// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/archive.h"

#include "foundation/error.h"
#include "training/snapshot_state.h"

#include <algorithm>

namespace credence {

SnapshotRecorder::SnapshotRecorder(std::size_t limit_bytes, std::size_t limit_count)
    : limit_bytes_(limit_bytes), limit_count_(std::max<std::size_t>(limit_count, 3))
{}

/// Numbers the snapshots 0, 1, 2, … in order of arrival and keeps the multiples of a stride and the
/// newest. If there are too many, the stride doubles.
void SnapshotRecorder::add(std::shared_ptr<const Snapshot> snapshot)
{
    const std::size_t bytes = std::max<std::size_t>(1, snapshot->posterior->numbers().size_bytes());
    const std::size_t limit = std::max<std::size_t>(3, std::min(limit_count_, limit_bytes_ / bytes));

    const bool newest_is_regular = seen_ == 0 || (seen_ - 1) % stride_ == 0;
    if (!newest_is_regular)
        snapshots_.pop_back();
    snapshots_.push_back(std::move(snapshot));
    ++seen_;
    while (snapshots_.size() > limit) {
        // Regular ones have numbers 0, stride, 2 stride, …; the newest, last in the list, may be an
        // extra one.
        auto newest        = snapshots_.back();
        const bool regular = (seen_ - 1) % stride_ == 0;
        if (!regular)
            snapshots_.pop_back();
        std::size_t kept = 0;
        for (std::size_t i = 0; i < snapshots_.size(); i += 2)
            snapshots_[kept++] = snapshots_[i];
        snapshots_.resize(kept);
        stride_ *= 2;
        if ((seen_ - 1) % stride_ != 0)
            snapshots_.push_back(std::move(newest));
    }
}

void SnapshotRecorder::serialise(StateBytes& state, const VariationalFamily<float>& family)
{
    state.section("recorded snapshots");
    state.value(stride_);
    state.value(seen_);
    credence::serialise(state, snapshots_, family);
    if (stride_ < 1 || (seen_ > 0) == snapshots_.empty()
        || std::find(snapshots_.begin(), snapshots_.end(), nullptr) != snapshots_.end())
        throw Error("The saved state has snapshots that do not match its recorder.");
}

void SnapshotRecorder::replace_newest(std::shared_ptr<const Snapshot> snapshot)
{
    snapshots_.back() = std::move(snapshot);
}

}   // namespace credence
