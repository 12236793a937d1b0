// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/lint.h"
#include "runs/experiment.h"

#include "unit/runs/short_run.h"
#include "unit/views/chain_snapshots.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace credence {

/// The end of a run of this Study, trained here.
inline LintCase case_of(const Study& study)
{
    const auto experiment = prepare(study);
    auto training         = train(*experiment);
    return {.run    = {experiment, training.report.last, std::make_shared<const TrainingHistory>(training.history)},
            .report = training.report};
}

/// A Study of a few milliseconds that still trains: 120 steps of Adam.
inline Study course_study(const std::string& family)
{
    Study study                           = small_study(family);
    study.training.steps                  = 120;
    study.training.schedule.learning_rate = 0.01;
    study.training.schedule.kind          = ScheduleKind::cosine;
    return study;
}

inline std::optional<Finding> found(const std::string& rule, const LintCase& lint_case)
{
    return lint_rule(rule).check(lint_case, {});
}

/// The same run with another history.
inline LintCase with_history(LintCase lint_case, TrainingHistory history)
{
    lint_case.run.history = std::make_shared<const TrainingHistory>(std::move(history));
    return lint_case;
}

/// Artificial Hamiltonian chains with changed diagnostics: draw s is number s / chains of chain s % chains.
inline LintCase chains_case(const ChainsByHand& hand,
                            const std::function<void(std::size_t s, DrawStatistics& statistics)>& change = {})
{
    auto run        = snapshot_of_chains(study_of_chains("nuts"), hand);
    const auto& set = dynamic_cast<const SampleSet&>(*run.snapshot->posterior);
    auto statistics = std::make_shared<ChainStatistics>(*set.origin().statistics);
    for (std::size_t s = 0; s < statistics->draws.size(); ++s) {
        statistics->draws[s].divergent = statistics->draws[s].at_depth_limit = false;
        if (change)
            change(s, statistics->draws[s]);
    }
    auto snapshot       = std::make_shared<Snapshot>(*run.snapshot);
    snapshot->posterior = set.with_statistics(statistics);
    return {.run = {run.experiment, snapshot, run.history}};
}

/// Four chains of independent draws: nothing to find.
inline ChainsByHand healthy_chains() { return {.n_chains = 4, .n_draws = 500}; }

/// Twenty points by hand, `copies` times each.
inline Study study_of_points(int copies)
{
    Study study       = small_study("point_estimate");
    study.data.source = DataSource::drawn;
    for (int i = 0; i < 20 * copies; ++i) {
        const int point = i % 20;
        study.data.points.push_back({.x = 0.1 * point, .y = 0.05 * point * point, .label = point % 2});
    }
    return study;
}

}   // namespace credence
