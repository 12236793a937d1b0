// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include <memory>

class SavedRunEntry;
class SavedRuns;
class RunOpener;

/// Computes the final score of each finished run, and of an older one when first displayed, once
/// and in the background. It is saved with the run.
class RunScores : public QObject {
    Q_OBJECT
public:
    RunScores(const RunOpener& opener, SavedRuns& runs, QObject* parent = nullptr);

private:
    void compute(const std::shared_ptr<SavedRunEntry>& entry);

    SavedRuns& m_runs;
    Worker m_worker{{.niceness = viewNiceness + 2, .newer = Worker::Newer::in_line}};   // charts come first
};
