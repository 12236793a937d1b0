// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/pruned_snapshot.h"

#include "runs/result_cache.h"

namespace credence {

RunSnapshot pruned(const RunSnapshot& run, const PruneRule& rule)
{
    if (rule.share == 0 || !run.snapshot || run.experiment->outputs || pruning_of(run))
        return run;
    static ResultCache<SnapshotKey<PruneRule>, Snapshot> kept(6);
    RunSnapshot out = run;
    out.snapshot    = kept.find_or_make({run, rule}, {}, [&] {
        auto posterior      = std::make_shared<PrunedPosterior>(run.snapshot->posterior, rule);
        auto snapshot       = std::make_shared<Snapshot>(*run.snapshot);
        snapshot->pruned    = posterior->rule();
        snapshot->posterior = std::move(posterior);
        return std::shared_ptr<const Snapshot>(std::move(snapshot));
    });
    return out;
}

std::vector<RunSnapshot> pruned(std::span<const RunSnapshot> snapshots, const PruneRule& rule)
{
    std::vector<RunSnapshot> all;
    for (const auto& run : snapshots)
        all.push_back(pruned(run, rule));
    return all;
}

const PruneRule* pruning_of(const RunSnapshot& run)
{
    return run.snapshot && run.snapshot->pruned ? &*run.snapshot->pruned : nullptr;
}

}   // namespace credence
