// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "linter/lint.h"
#include "runs/archive.h"
#include "runs/experiment.h"
#include "views/views.h"

#include <functional>
#include <span>
#include <stop_token>

namespace credence {

/// Draws one chart into files named `stem` plus a suffix, each atomically.
using FigureWriter = std::function<void(const Chart& chart, const std::filesystem::path& stem)>;

/// The results of a run that could be computed.
struct WrittenResults {
    Table scores;
    std::vector<std::pair<std::string, Table>>
        tables;              ///< of views with table_in_results (OOD data, sampling and bridge), by id
    std::string no_scores;   ///< why there are none, as a sentence; otherwise empty
    std::vector<std::pair<std::string, std::string>>
        left_out;         ///< views that could not be computed, each with its error
    bool whole = false;   ///< true if nothing was stopped
    /// For a run with validation images: the scores on them, in addition to the test set; otherwise
    /// without rows.
    Table validation_scores            = {};
    std::optional<LintResult> findings = {};   ///< of the linter; empty: not run, or stopped
};

/// Writes study.json and run.credence, which must not be lost. Neither contains wall times, so two
/// runs of one Study write the same bytes; times.json has them. Removes temporary files of killed
/// writers in the folder and below. @throws Error that names the file
void keep_run(const SavedRun& run, const std::filesystem::path& folder);

/// Writes the other files of `credence run`: times.json, results.json, data/<view>.csv for every
/// view that applies and, with `draw`, figures/<view>.*. If a score or a view fails, its error is
/// written to results.json and the rest is still written. After `stop`, only results.json is
/// written.
/// @throws Error that names the file
WrittenResults write_results(const SavedRun& run, const RunSnapshot& end, const std::filesystem::path& folder,
                             const FigureWriter& draw = {}, std::stop_token stop = {});
/// As above; `written` has the results computed so far even if it throws.
void write_results(const SavedRun& run, const RunSnapshot& end, const std::filesystem::path& folder,
                   WrittenResults& written, const FigureWriter& draw = {}, std::stop_token stop = {});

/// Computes only the scores, or the reason why there are none. Writes nothing.
WrittenResults scores_of(const RunSnapshot& end, std::stop_token stop = {});

/// Writes the scores, without findings, and only these views: data/<view>.csv, times.json, and
/// finally results.json, which marks the cell of a sweep as complete.
/// @param score_calibration_rows  the calibration rows of a table become the validation set
/// @return  not whole: `stop` was requested, and there is no results.json. @throws Error that names
/// the file
WrittenResults write_scores(const SavedRun& run, const RunSnapshot& end, const std::filesystem::path& folder,
                            std::span<const std::string> view_ids = {}, std::stop_token stop = {},
                            bool score_calibration_rows = false);

/// Writes the results of imported predictions: results.json (the opened files, and scores in the same form
/// as `credence run`), data/<view>.csv and figures/<view>.* for every view that needs outputs only.
/// @param opened  from snapshot_of_outputs. @throws Error that names the file
WrittenResults write_results_of_outputs(const RunSnapshot& opened, const std::filesystem::path& folder,
                                        const ViewOptions& options = {}, const FigureWriter& draw = {},
                                        std::stop_token stop = {});

/// The Study as comment lines for the head of CSV and LaTeX files, see charts/figure_files.h.
std::string study_comments(const Study& study);

/// The posterior of predictions at the rows of the Study's table prediction.points: one line per
/// row and class with the distribution of the class probability over samples, or per row of a
/// regression with the distribution of the function's value in the target's units, without noise.
/// Columns row and output (both from 0; the class), mean, sd (divisor S − 1), q05, q25, q50, q75,
/// q95 (type 7, Hyndman and Fan 1996); for draws of chains also
/// mcse (of the mean), ess_bulk, ess_tail, rhat, empty if undefined (Vehtari, Gelman, Simpson,
/// Carpenter and Bürkner 2021).
/// Sets of draws are used completely, each draw once; other posteriors with the Study's number of
/// samples.
/// @return  empty: stopped
/// @throws Error that names the file, its line and column
std::optional<Table> posterior_at_points(const RunSnapshot& end, const std::stop_token& stop = {});

}   // namespace credence
