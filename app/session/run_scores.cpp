// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_scores.h"

#include "session/run_opener.h"
#include "session/saved_runs.h"

#include "views/scores_table.h"

using namespace credence;

RunScores::RunScores(const RunOpener& opener, SavedRuns& runs, QObject* parent) : QObject(parent), m_runs(runs)
{
    connect(&opener, &RunOpener::displayed, this, &RunScores::compute);
}

void RunScores::compute(const std::shared_ptr<SavedRunEntry>& entry)
{
    if (entry->run.score || entry->run.report.stop == StopReason::not_finite)
        return;
    m_worker.submit([this, entry, name = entry->run.name](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        if (stop.stop_requested())
            return {};
        const RunSnapshot end = entry->end(name);
        const auto score      = end.snapshot ? final_score(end, std::move(stop)) : std::nullopt;
        if (!score)
            return {};
        return [this, entry, score = *score] { m_runs.setScore(entry, score); };
    });
}
