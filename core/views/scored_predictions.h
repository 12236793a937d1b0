// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/regression.h"
#include "prediction/set_predictions.h"
#include "views/views.h"

#include <memory>
#include <optional>

namespace credence {

/// The predictions of a run at one snapshot for a whole set of inputs. Many views use them
/// (certainty, confusion, ROC, calibration, scores, …), so they are computed once. Samples are not
/// stored: a row takes 8 bytes per class and about 60 more.
struct ScoredPredictions {
    SetPredictions set;
    std::vector<std::uint32_t> rows;   ///< of the data, in the order of `set`
    std::vector<int> labels;           ///< [rows]; empty if the network's classes do not apply
    std::size_t n_all = 0;             ///< available rows: more than `rows` if options.rows limits
                                       ///< them
    std::string name;                  ///< "test set", with the number of rows used if these are
                                       ///< not all
    double level   = 0.95;             ///< the study's α; the first of set.levels
    double seconds = 0;                ///< wall time of sampling and scoring

    const Certainty& at_level() const { return set.certainty.front(); }
};

/// Predicts the test rows (the training rows if there are none). Levels: the study's, then the
/// published ones (Posch and Pilz 2021, Table III). The last few results are cached, so that
/// repeated requests for the same snapshot and options cost nothing. Can be called from many
/// threads: a call that finds another thread computing the same predictions waits for it, and still
/// stops on request.
/// @return  null if `stop` was requested
std::shared_ptr<const ScoredPredictions> scored_predictions(const RunSnapshot& run, const ViewOptions& options,
                                                            std::stop_token stop);
/// The cached result: computes nothing and does not wait. @return  null: not cached
std::shared_ptr<const ScoredPredictions> cached_scored_predictions(const RunSnapshot& run, const ViewOptions& options);
/// For the final test set (view_support::final_test_set).
std::shared_ptr<const ScoredPredictions> final_test_predictions(const RunSnapshot& run, const ViewOptions& options,
                                                                std::stop_token stop);
/// For the calibration rows (view_support::calibration_set); also null if there are none.
std::shared_ptr<const ScoredPredictions> calibration_predictions(const RunSnapshot& run, const ViewOptions& options,
                                                                 std::stop_token stop);
/// For other_data(experiment).
std::shared_ptr<const ScoredPredictions> ood_predictions(const RunSnapshot& run, const ViewOptions& options,
                                                         std::stop_token stop);

/// Columns of a table with one row per input: confidence, entropy, epistemic part, and both criteria
/// of certainty.
std::vector<Column> certainty_columns();

/// Number of rows of a regression that are predicted together. Another number moves the block
/// borders, and so changes dropout masks and the last bits.
inline constexpr std::size_t rows_of_numbers_at_once = 1000;

/// Streams the samples of a regression in the target's units at rows of a set, block by block on the
/// caller's thread. The samples of a large table are therefore never all in memory. The targets
/// of a run with several share one set of samples, unless it is too large to be cached.
/// @param inputs  of the set, standardised [n × n_features]
/// @param rows    of the set
/// @param use     receives the samples at rows[first], rows[first + 1], …
/// @return        false: stopped
bool stream_numbers(const RunSnapshot& run, const ViewOptions& options, std::span<const float> inputs,
                    std::span<const std::size_t> rows, const std::stop_token& stop,
                    const std::function<void(const RegressionSamples& samples, std::size_t first)>& use,
                    std::size_t at_once = rows_of_numbers_at_once);

/// Returns the samples of one of T numeric targets, recalibrated and in its units, from the outputs
/// of all targets.
/// @param one      run_of_target
/// @param outputs  of unrecalibrated_predictive_of the whole run [S × rows × 2T]
/// @return         empty: stopped
std::optional<RegressionSamples> samples_of_target(const RunSnapshot& one, const OutputSamples& outputs,
                                                   std::size_t target, const std::stop_token& stop);

/// Adds the name of the rows and the sampling method to the caption.
Chart on_rows(Chart chart, const RunSnapshot& run, const ScoredPredictions& scored);

/// Columns by which the table of the view test_rows can be sorted and filtered. Classification:
/// row, truth, predicted, right, confidence, … epistemic part and the two criteria. Regression:
/// row, truth, predicted mean, predictive sd, residuals, sd of the function. The feature values
/// follow after them.
namespace test_row {
inline constexpr int row = 0, truth = 1, predicted = 2;
inline constexpr int right = 3, confidence = 4, entropy = 5, epistemic = 6, no_overlap = 7,
                     probable              = 8;   ///< right and the two criteria: 1 or 0
inline constexpr const char *conformal_set = "Conformal set", *conformal_lower = "Conformal, lower",
                            *conformal_upper = "Conformal, upper";   ///< before the features, if a score is set
inline constexpr int sd = 3, residual = 4, standardised = 5, function_sd = 6;

/// Returns true for classification: then truth and predicted are class names.
bool of_classes(const Table& table);
/// Returns the column of the first feature; the last feature is the last column. There may be none.
int first_feature(const Table& table);
}   // namespace test_row

}   // namespace credence
