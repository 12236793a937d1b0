// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/regression.h"
#include "prediction/scores.h"
#include "runs/archive.h"
#include "runs/experiment.h"
#include "views/views.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace credence {

/// The RMSE of several numeric targets as one number without a unit: mean_t RMSE_t / sd_t, with the standard
/// deviation (divisor n) of the scored values of target t. Predicting their mean gives 1.
inline constexpr const char* relative_rmse_name = "RMSE in standard deviations of the target, mean over targets";

/// Scores of a run on the rows that all views use: its test set, its validation set if it has one,
/// or the training set if it has neither. Columns: name, value, unit. Of several numeric targets, those
/// of each ("RMSE, TARGET"), after the mean of their relative RMSEs and the sum of their NLLs.
/// @param options  for classes: samples and rows, as in views of the whole test set
Table scores(const RunSnapshot& run, std::stop_token stop = {}, const ViewOptions& options = {});

/// The same with the numbers themselves.
struct ScoreTable {
    Table table{};
    std::optional<ClassificationScores> classes{};   ///< empty: a regression, or the true classes are not known
    std::optional<RegressionScores> regression{};
    std::string target{};                         ///< of `regression`, if the run has several: the first
    std::string unit{};                           ///< of the regression's target
    double target_sd = 0;                         ///< of the scored values of the target, divisor n
    std::optional<double> least_squares_rmse{};   ///< of the baseline, in the same rows
};
ScoreTable score_table(const RunSnapshot& run, std::stop_token stop = {}, const ViewOptions& options = {});

/// The score that lists of runs show. @return  empty: the true values are not known
std::optional<FinalScore> final_score_in(const Table& scores);

/// Scores on the rows of a table that are set aside for calibration. They are scores of a validation
/// set as long as nothing is fitted on these rows. Without such rows: no rows.
Table calibration_scores(const RunSnapshot& run, std::stop_token stop = {});

/// The same on the test set of a run whose views show a validation set. A table without rows: the
/// run has no separate test set.
Table final_test_scores(const RunSnapshot& run, std::stop_token stop = {}, const ViewOptions& options = {});

/// Both in one table: name, validation set, test set, unit. A score that only one of them has
/// leaves the other cell empty.
Table scores_side_by_side(const Table& validation, const Table& test);

/// Scores of several runs side by side: one row per score, one column per run. If a run lacks a
/// score (different task or level), its cell is empty. Scores are ordered by first occurrence. For
/// a run with validation images, the test-set scores share the rows of the other runs, and the
/// validation scores have their own rows.
/// @return  empty if `stop` was requested
std::optional<Chart> compare_scores(std::span<const RunSnapshot> runs, std::stop_token stop = {});

}   // namespace credence
