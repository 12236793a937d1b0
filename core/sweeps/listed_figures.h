// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sweeps/sweep_figures.h"

namespace credence {

// The entries of sweep_figures(), each defined in its own file.
SweepFigure sweep_scores_figure();     ///< sweep_score_figures.cpp
SweepFigure sweep_tau_figure();        ///< sweep_score_figures.cpp
SweepFigure sweep_training_figure();   ///< sweep_run_figures.cpp
SweepFigure sweep_roc_figure();        ///< sweep_run_figures.cpp
SweepFigure sweep_doubt_figure();      ///< sweep_run_figures.cpp
SweepFigure sweep_weights_figure();    ///< sweep_run_figures.cpp

/// Returns "No cell of this sweep is done yet. Run it."; empty: at least one is.
std::optional<std::string> why_nothing_done(const SweepResults& results);

/// Sets the id and title of a chart, and adds the sweep and its progress to the caption.
Chart of_sweep(Chart chart, const char* id, const char* title, const SweepResults& results);

}   // namespace credence
