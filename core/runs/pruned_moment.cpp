// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/pruned_moment.h"

#include "runs/kept_results.h"

namespace credence {
namespace {

struct PrunedKey {
    WeakMoment moment;
    PruneRule rule;

    bool gone() const { return moment.gone(); }
    bool operator==(const PrunedKey&) const = default;
};

}   // namespace

RunSnapshot pruned(const RunSnapshot& moment, const PruneRule& rule)
{
    if (rule.share == 0 || !moment.snapshot || moment.experiment->outputs || pruning_of(moment))
        return moment;
    static KeptResults<PrunedKey, Snapshot> kept(6);
    RunSnapshot out = moment;
    out.snapshot    = kept.find_or_make({moment, rule}, {}, [&] {
        auto snapshot       = std::make_shared<Snapshot>(*moment.snapshot);
        snapshot->posterior = std::make_shared<PrunedPosterior>(moment.snapshot->posterior, rule);
        return std::shared_ptr<const Snapshot>(std::move(snapshot));
    });
    return out;
}

std::vector<RunSnapshot> pruned(std::span<const RunSnapshot> moments, const PruneRule& rule)
{
    std::vector<RunSnapshot> all;
    for (const auto& moment : moments)
        all.push_back(pruned(moment, rule));
    return all;
}

const PruneRule* pruning_of(const RunSnapshot& moment)
{
    const auto* pruned = moment.snapshot ? dynamic_cast<const PrunedPosterior*>(moment.snapshot->posterior.get())
                                         : nullptr;
    return pruned ? &pruned->rule() : nullptr;
}

}   // namespace credence
