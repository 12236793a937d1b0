// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/results.h"

#include "foundation/error.h"

#include <algorithm>
#include <iterator>

namespace credence {

RunMoment moment_of(const KeptRun& run, std::size_t index)
{
    if (index >= run.snapshots.size())
        throw Error("The run \"" + run.name + "\" has " + std::to_string(run.snapshots.size()) + " recorded steps, expected more than " + std::to_string(index) + ".");
    RunMoment moment;
    moment.experiment = prepare(run.study);
    moment.snapshot   = run.snapshots[index];
    if (moment.snapshot->posterior->layout() != moment.experiment->start->layout())
        throw Error("data", "The data of the run \"" + run.name + "\" have changed since: its net no longer fits them.");
    auto history = std::make_shared<TrainingHistory>();
    std::copy_if(run.history.begin(), run.history.end(), std::back_inserter(*history),
                 [&](const TrainingPoint& point) { return point.step <= moment.snapshot->point.step; });
    moment.history = history;
    return moment;
}

RunMoment last_moment_of(const KeptRun& run) { return moment_of(run, run.snapshots.empty() ? 0 : run.snapshots.size() - 1); }

}  // namespace credence
