// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"
#include "views/views.h"

namespace credence {

/// Scores of a run on the rows that all views show: its test set, the validation set of a run that keeps one, or the training set where there is neither: name, value, unit.
/// @param options  of classes: samples and rows, as views of the whole test set take them
Table scores(const RunMoment& moment, std::stop_token stop = {}, const ViewOptions& options = {});

/// The one of these scores that lists of runs show. @return  empty: the true values are not known
std::optional<FinalScore> final_score_in(const Table& scores);
/// Computes it. @return  empty also if `stop` was requested
std::optional<FinalScore> final_score(const RunMoment& end, std::stop_token stop = {});

/// The same on the test set of a run whose views show a validation set; without rows: it has none, and `scores` are about all there is.
Table final_test_scores(const RunMoment& moment, std::stop_token stop = {}, const ViewOptions& options = {});

/// Both in one table: name, validation set, test set, unit. A score that only one of them has leaves the other's cell empty.
Table scores_beside(const Table& validation, const Table& test);

}   // namespace credence
