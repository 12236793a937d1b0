// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "data/dataset.h"
#include "prediction/class_predictions.h"
#include "prediction/regression.h"
#include "prediction/scores.h"
#include "runs/archive.h"
#include "runs/experiment.h"
#include "sources/human_labels.h"
#include "views/views.h"

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace credence {

/// The RMSE of several numeric targets as one number without a unit: mean_t RMSE_t / sd_t, with the standard
/// deviation (divisor n) of the scored values of target t. Predicting their mean gives 1.
inline constexpr const char* relative_rmse_name = "RMSE in standard deviations of the target, mean over targets";

/// Returns the scores of a run on the rows that all views use: its test set, its validation set if
/// it has one, or the training set if it has neither. Columns: name, value, unit. For several
/// numeric targets: the mean of their relative RMSEs, the sum of their NLLs, and then the scores of
/// each target ("RMSE, TARGET").
/// @param options  for classes: samples and rows, as in views of the whole test set
Table scores(const RunSnapshot& run, std::stop_token stop = {}, const ViewOptions& options = {});

/// The table of scores together with the numbers themselves.
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

/// Returns the scores on the rows of a table that are set aside for calibration. They are scores of
/// a validation set as long as nothing is fitted on these rows. Without such rows, the table is
/// empty.
Table calibration_scores(const RunSnapshot& run, std::stop_token stop = {});

/// Returns the scores on the test set of a run whose views show a validation set. A table without
/// rows: the run has no separate test set.
Table final_test_scores(const RunSnapshot& run, std::stop_token stop = {}, const ViewOptions& options = {});

/// Combines both in one table: name, validation set, test set, unit. If only one of them has a
/// score, the other cell is empty.
Table scores_side_by_side(const Table& validation, const Table& test);

/// Scores of several runs side by side: one row per score, one column per run. If a run lacks a
/// score (different task or level), its cell is empty. Scores are ordered by first occurrence. For
/// a run with validation images, the test-set scores share the rows of the other runs, and the
/// validation scores have their own rows.
/// @return  empty if `stop` was requested
std::optional<Chart> compare_scores(std::span<const RunSnapshot> runs, std::stop_token stop = {});

// Scores against the answers of people (human_labels.cpp)

/// Predictions compared with how people labelled the same images (docs/maths.md, section 8). Means
/// over N rows; h are the shares of the human answers.
struct HumanComparison {
    int n                  = 0;
    double human_entropy   = 0;   ///< H(h), nats
    double cross_entropy   = 0;   ///< −Σ h ln p̄, nats
    double divergence      = 0;   ///< KL(h ‖ p̄) = cross-entropy − H(h), nats
    double total_variation = 0;   ///< ½ Σ |h − p̄|, 0 to 1
    double accuracy        = 0;   ///< predicted class = most frequent answer, or one of equally frequent ones
    /// Rank correlation of H(h) with the predictive entropy and with its aleatoric part. Empty: one of
    /// them is the same in all rows.
    std::optional<double> with_entropy{}, with_aleatoric{};
};

/// @param rows    [N] the row of `humans` of each prediction
HumanComparison human_comparison(const ClassPredictions& predictions, std::span<const std::uint32_t> rows,
                                 const HumanLabels& humans);

/// Spearman's correlation: that of the ranks, ties averaged. Empty: all values of one side are equal.
/// @throws Error if a value is NaN
std::optional<double> rank_correlation(std::span<const double> a, std::span<const double> b);

/// The human labels of these rows, or why there are none. Row i must be test image i of CIFAR-10:
/// there are as many rows and classes as in the file, and the most frequent human answer is the true
/// class in more than half of the rows (in CIFAR-10H nearly always, in another order every tenth time).
struct MatchedHumanLabels {
    std::shared_ptr<const HumanLabels> labels{};   ///< null: see why_not
    std::string why_not{};
};
MatchedHumanLabels matched_human_labels(const Experiment& experiment, const Dataset& rows);

}   // namespace credence
