// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/unfinished_work.h"
#include "session/drawn_points.h"
#include "session/export_job.h"
#include "session/interrupted_run.h"
#include "session/kept_runs.h"
#include "session/linting.h"
#include "session/run_opener.h"
#include "session/run_scores.h"
#include "session/selection.h"
#include "session/session.h"
#include "session/study_commands.h"
#include "session/truth_comparison.h"
#include "session/view_choices.h"
#include "session/view_requests.h"
#include "session/view_scheduler.h"

#include <QUndoStack>

/// What stands behind a window, and no widget: the Study under edit, the run on show, the chosen input, kept runs, and the pictures that are being made.
/// A window shows one and ends before it.
struct Workspace {
    Session session{};
    QUndoStack undo{};
    StudyEditor editor{session, undo};
    DrawnPoints points{session, editor};
    KeptRuns runs{};
    RunOpener opener{session, editor, runs};
    RunScores scores{opener, runs};
    InterruptedRuns interrupted{session, editor};
    TruthComparison truth{session, runs, opener};
    Selection selection{};
    ViewChoices choices{};
    Linting linting{session, runs, choices};
    ViewRequests requests{session, runs, selection, choices};
    ExportJob exports{};
    UnfinishedWork unfinished{};
    ViewScheduler scheduler{};   // last: its threads end before what its makers look at
};
