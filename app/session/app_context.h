// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/document/autosave.h"
#include "session/document/study_document.h"
#include "session/drawn_points.h"
#include "session/export_job.h"
#include "session/linting.h"
#include "session/reference_comparison.h"
#include "session/run_opener.h"
#include "session/run_queue.h"
#include "session/saved_runs.h"
#include "session/selection.h"
#include "session/session.h"
#include "session/view_requests.h"
#include "session/view_scheduler.h"

/// The data of a window, without widgets: document, displayed run, selected input, saved runs, and
/// charts in progress. Outlives its window.
struct AppContext {
    Session session{};
    StudyDocument document{session};
    DrawnPoints points{session, document};
    SavedRuns runs{};
    RunOpener opener{session, document, runs};
    RunScores scores{opener, runs};
    InterruptedRuns interrupted{session, document};
    ReferenceComparison reference{session, runs, opener};
    RunQueue queue{session, reference};
    QuickTraining quick{session, runs, queue};
    Selection selection{};
    ViewChoices choices{};
    Linting linting{session, runs, choices};
    ViewRequests requests{session, runs, selection, choices};
    ExportJob exports{};
    UnfinishedWork unfinished{};
    ViewScheduler scheduler{};   // last: its threads must end before the objects that they read
};
