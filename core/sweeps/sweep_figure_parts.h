// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sweeps/score_against_axis.h"
#include "sweeps/sweep_figures.h"
#include "sweeps/sweep_results.h"
#include "views/training_curves.h"

#include <string>
#include <vector>

namespace credence {

/// The cells of a sweep arranged along one axis.
struct SweepLayout {
    /// The cells of one combination of the other axes.
    struct Row {
        std::string name;   ///< words_of_settings of the other axes
        std::vector<std::vector<std::size_t>>
            cells;   ///< cell indices for each value of the axis, one per seed [n][seeds]
    };
    SweptAxis axis;
    std::vector<Row> rows;   ///< in the order of the cells
};

/// Returns "mean_field, steps 300": labels of the axes with several values, except the seed and
/// `but`; numbers with the name of their setting.
/// @param at   index of the value on each axis
/// @param but  may be null
std::string words_of_settings(const Sweep& sweep, const std::vector<std::size_t>& at, const SweepAxis* but = nullptr);

/// @param axis  name of one of figure_axes; empty: the usual one
/// @throws Error "The sweep has no axis \"x\" to plot against, expected one of a, b."; or if it
/// varies only the seed
SweepLayout layout_along(const SweepResults& results, const std::string& axis);

// The entries of sweep_figures(), each defined in its own file.
SweepFigure sweep_scores_figure();        ///< sweep_score_figures.cpp
SweepFigure sweep_tau_figure();           ///< sweep_score_figures.cpp
SweepFigure sweep_training_figure();      ///< sweep_run_figures.cpp
SweepFigure sweep_roc_figure();           ///< sweep_run_figures.cpp
SweepFigure sweep_uncertainty_figure();   ///< sweep_run_figures.cpp
SweepFigure sweep_weights_figure();       ///< sweep_run_figures.cpp

/// Returns "No cell of this sweep is done yet. Run it."; empty: at least one is.
std::optional<std::string> why_nothing_done(const SweepResults& results);

/// Sets the id and title of a chart, and adds the sweep and its progress to the caption.
Chart of_sweep(Chart chart, const char* id, const char* title, const SweepResults& results);

/// The training curves of runs that differ only in their seed.
struct CurveGroup {
    std::string name{};                   ///< of their common settings: "mean_field, 300"
    std::vector<TrainingCurves> runs{};   ///< one per seed
    std::vector<double> roughness{};      ///< of the data loss (loss_roughness), for the runs that have one
};

/// A curve over several runs, at the steps recorded by all of them.
struct CurveBand {
    std::vector<double> step, mean, lower, upper;   ///< lower and upper: mean ∓ sd, divisor n − 1; for one run the mean
};
CurveBand band_of(const std::vector<const TrainingCurves::Curve*>& curves);

/// Draws data loss, KL and errors of all groups, one panel each: the mean over the runs of a group
/// in its colour, mean ± standard deviation around it, and each run as a thin line. Errors are on
/// the test or validation set; classification errors are in percent. The table has the roughness of
/// the data loss, in percent, if any run has one.
Chart to_chart(const std::vector<CurveGroup>& groups);

}   // namespace credence
