// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/derived_runs.h"

#include "foundation/error.h"
#include "runs/result_cache.h"

#include <memory>
#include <utility>

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

namespace {

struct TargetKey {
    std::weak_ptr<const Experiment> experiment;
    std::size_t target = 0;

    bool expired() const { return experiment.expired(); }
    bool operator==(const TargetKey& other) const
    {
        return target == other.target && !experiment.owner_before(other.experiment)
               && !other.experiment.owner_before(experiment);
    }
};

std::shared_ptr<const Experiment> experiment_of_target(const std::shared_ptr<const Experiment>& all, std::size_t target)
{
    auto one              = std::make_shared<Experiment>(*all);
    one->data             = std::make_shared<const SplitData>(with_one_target(*all->data, target));
    one->model.likelihood = all->model.likelihood.of_target(static_cast<int>(target));
    one->target_of        = all->data->training.n_targets();
    one->all_targets      = all;
    one->target           = target;
    return one;
}

}   // namespace

RunSnapshot run_of_target(const RunSnapshot& run, std::size_t target)
{
    const std::size_t n = run.experiment->data->training.n_targets();
    if (n == 1)
        return run;
    if (target >= n)
        throw Error("Target " + std::to_string(target + 1) + " was requested, the run has " + std::to_string(n)
                    + " targets.");
    static ResultCache<TargetKey, Experiment> kept(16);
    RunSnapshot out = run;
    out.experiment  = kept.find_or_make({run.experiment, target}, {},
                                        [&] { return experiment_of_target(run.experiment, target); });
    return out;
}

std::optional<std::string> why_not_one_target(const Experiment& experiment)
{
    const std::size_t n = experiment.data->training.n_targets();
    if (n == 1)
        return {};
    return "This needs one target, the run has " + std::to_string(n) + ". Train one network per target.";
}

}   // namespace credence
