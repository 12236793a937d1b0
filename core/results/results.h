// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "linter/lint.h"
#include "runs/archive.h"
#include "views/views.h"

#include <functional>
#include <span>

namespace credence {

/// Draws one chart into files named `stem` plus a suffix, each whole or not at all.
using FigureWriter = std::function<void(const Chart& chart, const std::filesystem::path& stem)>;

/// What could be made of a run's results.
struct WrittenResults {
    Table scores;
    std::vector<std::pair<std::string, Table>>
        tables;              ///< of views with table_in_results (foreign data, sampling and bridge), by their ids
    std::string no_scores;   ///< why there are none: a sentence; else empty
    std::vector<std::pair<std::string, std::string>>
        left_out;         ///< views that could not be made, each with its sentence
    bool whole = false;   ///< nothing was stopped
    /// Of a run that keeps validation images, beside those on the test set; else without rows.
    Table validation_scores            = {};
    std::optional<LintResult> findings = {};   ///< of the linter; empty: it was not asked, or stopped
};

/// study.json and run.credence: what must not be lost. No wall time stands in either, so that two runs of one Study leave the same bytes; times.json has
/// them. Removes what killed writers left in the folder and those below it. @throws Error that names the file
void keep_run(const KeptRun& run, const std::filesystem::path& folder);

/// What `credence run` leaves behind beside them: times.json, results.json, data/<view>.csv of every view that applies and, by `draw`, figures/<view>.*. A score or a
/// view that cannot be made is a sentence in results.json and takes nothing else with it. After `stop` results.json alone is still written.
/// @throws Error that names the file
WrittenResults write_results(const KeptRun& run, const RunMoment& end, const std::filesystem::path& folder,
                             const FigureWriter& draw = {}, std::stop_token stop = {});
/// The same; `written` has the scores and what else was made also when it throws.
void write_results(const KeptRun& run, const RunMoment& end, const std::filesystem::path& folder,
                   WrittenResults& written, const FigureWriter& draw = {}, std::stop_token stop = {});

/// The scores alone, or why there are none. Writes nothing.
WrittenResults scores_of(const RunMoment& end, std::stop_token stop = {});

/// The scores, without findings, and of all views these alone: data/<view>.csv, times.json, and then results.json, which so says that all is there. A cell of a sweep.
/// @return  not whole: `stop` was requested, and there is no results.json. @throws Error that names the file
WrittenResults write_scores(const KeptRun& run, const RunMoment& end, const std::filesystem::path& folder,
                            std::span<const std::string> view_ids = {}, std::stop_token stop = {});

/// The same of outputs from elsewhere: results.json (what was opened, its scores as `credence run` writes them), data/<view>.csv and figures/<view>.* of every view
/// that asks for outputs alone.
/// @param opened  from moment_of_outputs. @throws Error that names the file
WrittenResults write_results_of_outputs(const RunMoment& opened, const std::filesystem::path& folder,
                                        const ViewOptions& options = {}, const FigureWriter& draw = {},
                                        std::stop_token stop = {});

/// The Study as comment lines for the head of CSV and LaTeX files, see charts/study_marks.h.
std::string study_comments(const Study& study);

}   // namespace credence
