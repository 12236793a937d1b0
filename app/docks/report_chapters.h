// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/figure_ticks.h"

#include "views/views.h"

#include <QString>

#include <vector>

// The parts of a report in order. Parts that are not views of a displayed run have their own id
// here.

namespace report_parts {

inline const QString settings     = QStringLiteral("report/settings");
inline const QString findings     = QStringLiteral("report/findings");
inline const QString differences  = QStringLiteral("report/differences");   ///< of the ticked runs: their settings
inline const QString scoresOfRuns = QStringLiteral("report/scores_of_runs");
inline const QString runsBeside   = QStringLiteral("report/runs_beside");   ///< their maps on one scale

}   // namespace report_parts

/// The report chapter of a view, determined by its properties, so that new views are placed
/// automatically.
QString chapterOf(const credence::View& view);
/// Groups the figures by chapter, with the first page first.
void sortByChapter(std::vector<ExportFigure>& figures);
