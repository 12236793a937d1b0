// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "results/results.h"
#include "sweeps/sweep_results.h"
#include "views/views.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence {

/// Options of sweep figures.
struct SweepFigureOptions {
    std::string axis{};                  ///< name of the axis along x; empty: usual_figure_axis
    std::vector<std::string> scores{};   ///< columns as in ScoreName::column, "test NLL"; empty: the main ones
    ViewOptions view{};                  ///< rows and samples of figures made from archives
};

/// One kind of figure of a sweep, with everything that the program knows of it. Command line, sweep
/// page and gallery use this list.
struct SweepFigure {
    std::string id;            ///< "sweep_scores": name of its files
    std::string title;         ///< "Scores against an axis"
    std::string help;          ///< what it shows and how to read it; source
    bool along_axis = false;   ///< follows SweepFigureOptions::axis
    Cost cost       = Cost::quick;
    /// The corresponding view of a single run. If its cost is all_rows, the figure is made by
    /// default only if SweepKeep::views has this view.
    std::string view{};
    /// Returns why it cannot be made from these results: no cell done, archives not saved, no axis.
    /// Empty: it can.
    std::function<std::optional<std::string>(const SweepResults& results)> why_not;
    /// Makes the figure. Reads archives one at a time, and only as much as needed. Can take a long
    /// time: call it on a worker thread.
    /// @return  empty if `stop` was requested
    /// @throws Error  the reason from why_not, or the error of an unreadable file
    std::function<std::optional<Chart>(const SweepFolder& folder, const SweepResults& results,
                                       const SweepFigureOptions& options, const std::stop_token& stop)>
        make;

    bool applies(const SweepResults& results) const { return !why_not(results); }
};

/// All figures of sweeps, in display order.
const std::vector<SweepFigure>& sweep_figures();
const SweepFigure& sweep_figure(std::string_view id);   ///< @throws Error that lists the ids

/// Axes that can be used along x: more than one value, and not the seed. Numeric ones first,
/// otherwise in the order of the sweep.
std::vector<const SweepAxis*> figure_axes(const Sweep& sweep);
/// The first of figure_axes; null: the sweep varies only the seed.
const SweepAxis* usual_figure_axis(const Sweep& sweep);

/// The figures of a sweep that were written.
struct WrittenSweepFigures {
    std::vector<std::string> made;   ///< file names without suffix, "sweep_scores"
    std::vector<std::pair<std::string, std::string>>
        left_out;   ///< ids of figures that do not apply, or are made only on demand, each with the reason
    std::vector<std::pair<std::string, std::string>> failed;   ///< names of failed figures, with their errors
    bool whole = false;                                        ///< true if nothing was stopped
};
/// Writes data/ID.csv and, with `draw`, figures/ID.* for every figure that applies, each file
/// atomically. Figures along an axis are written once per axis, the usual one as ID, others as
/// ID_AXIS. Figures that predict the test set again are written if the sweep has their view
/// (SweepKeep::views), and otherwise omitted with a reason.
/// @throws Error  that names the file that cannot be written
WrittenSweepFigures write_sweep_figures(const SweepResults& results, const SweepFolder& folder,
                                        const FigureWriter& draw = {}, std::stop_token stop = {});

}   // namespace credence
