// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/moments.h"

#include "foundation/error.h"

#include <algorithm>
#include <iterator>

namespace credence {

RunSnapshot::RunSnapshot(std::shared_ptr<const Experiment> made_ready, std::shared_ptr<const Snapshot> at,
                         std::shared_ptr<const TrainingHistory> until)
    : experiment(std::move(made_ready)), snapshot(std::move(at)), history(std::move(until))
{
    if (snapshot && snapshot->posterior->layout() != experiment->start->layout())
        throw Error("data", "The data of the run \"" + experiment->study.name
                                + "\" have changed since: its network no longer matches them.");
}

RunSnapshot moment_of(const SavedRun& run, std::size_t index)
{
    if (index >= run.snapshots.size())
        throw Error("The run \"" + run.name + "\" has " + std::to_string(run.snapshots.size())
                    + " recorded steps, expected more than " + std::to_string(index) + ".");
    const auto& snapshot = run.snapshots[index];
    auto history         = std::make_shared<TrainingHistory>();
    std::copy_if(run.history.begin(), run.history.end(), std::back_inserter(*history),
                 [&](const TrainingPoint& point) { return point.step <= snapshot->point.step; });
    return {prepare(run.study), snapshot, history};
}

RunSnapshot last_moment_of(const SavedRun& run)
{
    return moment_of(run, run.snapshots.empty() ? 0 : run.snapshots.size() - 1);
}

}   // namespace credence
