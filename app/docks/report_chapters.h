// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/figure_ticks.h"

#include "views/views.h"

#include <QString>

#include <vector>

// The parts of a report, in their order. What is no view of a run on show has an id of its own here.

namespace report_parts {

inline const QString settings     = QStringLiteral("report/settings");
inline const QString findings     = QStringLiteral("report/findings");
inline const QString differences  = QStringLiteral("report/differences");   ///< of the ticked runs: their settings
inline const QString scoresOfRuns = QStringLiteral("report/scores_of_runs");
inline const QString runsBeside   = QStringLiteral("report/runs_beside");   ///< their maps on one scale

}   // namespace report_parts

/// The chapter of a report in which a view of the run on show stands: by what it asks for and what it costs, so that a new view finds its place by itself.
QString chapterOf(const credence::View& view);
/// Brings the figures of a chapter together, the first page in front.
void sortByChapter(std::vector<ExportFigure>& figures);
