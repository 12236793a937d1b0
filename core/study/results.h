// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/archive.h"
#include "study/views.h"

#include <functional>

namespace credence {

/// Scores of a run on its test set (training set where there is no test set): name, value, unit.
/// @param options  of classes: samples and rows, as views of the whole test set take them
Table scores(const RunMoment& moment, std::stop_token stop = {}, const ViewOptions& options = {});

/// Draws one chart into files named `stem` plus a suffix, each whole or not at all.
using FigureWriter = std::function<void(const Chart& chart, const std::filesystem::path& stem)>;

/// What `credence run` leaves behind: study.json, results.json, run.credence, data/<view>.csv of every view that applies and, by `draw`, figures/<view>.*.
/// Each file is written whole or not at all; what killed writers left in these folders is removed first. Study, run and results come first, so that
/// `stop` can cost tables and pictures only; returns whether all are written. @throws Error that names the file
bool write_results(const KeptRun& run, const RunMoment& end, const std::filesystem::path& folder, const FigureWriter& draw = {}, std::stop_token stop = {});

/// The moment of the run's snapshot `index`: its history up to that step. The data are loaded again. @throws Error as `prepare`
RunMoment moment_of(const KeptRun& run, std::size_t index);
RunMoment last_moment_of(const KeptRun& run);   ///< @throws Error if the run has no snapshot

/// The Study as comment lines for the head of CSV and LaTeX files, between the marks of figures/study_marks.h.
std::string study_comments(const Study& study);

}  // namespace credence
