// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "results/results.h"
#include "sweeps/sweep_results.h"
#include "views/views.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace credence {

/// What the user chose beside the sweep.
struct SweepFigureOptions {
    std::string axis{};                  ///< name of the axis that stands along x; empty: usual_figure_axis
    std::vector<std::string> scores{};   ///< columns as ScoreName::column has them, "test NLL"; empty: the main ones
    ViewOptions view{};                  ///< rows and samples of figures that draw from archives
};

/// One kind of picture that can be made of a sweep: everything the program knows of it. Command line, page and gallery loop over the list.
struct SweepFigure {
    std::string id;            ///< "sweep_scores": name of its files
    std::string title;         ///< "Scores against an axis"
    std::string help;          ///< what it shows and how to read it; source
    bool along_axis = false;   ///< follows SweepFigureOptions::axis
    Cost cost       = Cost::quick;
    /// The view of one run to which it belongs. With all_rows cost it is made by itself where SweepKeep::views names this.
    std::string view{};
    /// A sentence why it cannot be made of these results: nothing is done yet, archives were not kept, there is no axis. Empty: it can.
    std::function<std::optional<std::string>(const SweepResults& results)> why_not;
    /// Makes it. Archives are read one at a time, and of each no more than is drawn. May take long: call it on a worker.
    /// @return  empty if `stop` was requested
    /// @throws Error  the sentence of why_not, or of a file that does not read
    std::function<std::optional<Chart>(const SweepFolder& folder, const SweepResults& results,
                                       const SweepFigureOptions& options, const std::stop_token& stop)>
        make;

    bool applies(const SweepResults& results) const { return !why_not(results); }
};

/// All figures of sweeps, in the order in which they are shown.
const std::vector<SweepFigure>& sweep_figures();
const SweepFigure& sweep_figure(const std::string& id);   ///< @throws Error that lists the ids

/// Axes that can stand along x: more than one value, and not the seed. Those with numbers first, else in the order of the sweep.
std::vector<const SweepAxis*> figure_axes(const Sweep& sweep);
/// The first of figure_axes; null: the sweep moves nothing but the seed.
const SweepAxis* usual_figure_axis(const Sweep& sweep);

/// What could be drawn of a sweep.
struct WrittenSweepFigures {
    std::vector<std::string> made;   ///< names of files without suffix, "sweep_scores"
    std::vector<std::pair<std::string, std::string>>
        left_out;   ///< ids of figures that do not apply, or are made on demand alone, each with its sentence
    std::vector<std::pair<std::string, std::string>> failed;   ///< names of those that could not be made, and why
    bool whole = false;                                        ///< nothing was stopped
};
/// Writes data/ID.csv and, by `draw`, figures/ID.* of every figure that applies, each file whole or not at all; those along an axis once for each axis, the usual one as ID, others
/// as ID_AXIS. Figures for which the test set is predicted again are made where the sweep keeps their view (SweepKeep::views), and else left out with a sentence.
/// @throws Error  that names the file that cannot be written
WrittenSweepFigures write_sweep_figures(const SweepResults& results, const SweepFolder& folder,
                                        const FigureWriter& draw = {}, std::stop_token stop = {});

}   // namespace credence
