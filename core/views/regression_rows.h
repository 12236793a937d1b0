// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/regression.h"
#include "views/views.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// The prediction of each row of a numeric target, in target units.
struct RegressionRows {
    std::vector<std::uint32_t> rows{};        ///< of the scored set [n]
    std::vector<double> observed{}, mean{};   ///< y and the mean of f over the samples [n]
    std::vector<double> sd{};                 ///< √(var f + mean s²): of a new observation [n]
    std::vector<double> function_sd{};        ///< √(var f): the epistemic part of sd [n]
    std::vector<double> lower{}, upper{};     ///< ends of the predictive interval at `level` [n]
    std::vector<double> pit{};                ///< F(y) of the predictive distribution of a new observation [n]
    std::vector<double> crps{};               ///< of that distribution, target units [n]
    double level      = 0.95;
    int n_samples     = 0;
    std::size_t n_all = 0;   ///< rows of the scored set: more than [n] if only some are predicted
    std::string name{};      ///< "test set"
    std::string target = "y";

    std::size_t n() const { return rows.size(); }
    bool inside(std::size_t i) const { return lower[i] <= observed[i] && observed[i] <= upper[i]; }
    long n_inside() const;
    double residual(std::size_t i) const { return observed[i] - mean[i]; }
    double standardised(std::size_t i) const { return residual(i) / sd[i]; }
};

/// Appends one row for each input of the samples, on all threads.
/// @param rows     their numbers in the scored set
/// @param targets  y of each input
void append(RegressionRows& to, const RegressionSamples& samples, std::span<const std::uint32_t> rows,
            std::span<const double> targets);

inline constexpr std::size_t most_regression_rows = 1000;   ///< of views that draw each row

/// Predicts the scored rows, at most `most` of them, evenly spaced. The last few results are cached.
/// @return  null if `stop` was requested
std::shared_ptr<const RegressionRows> regression_rows(const RunSnapshot& run, const ViewOptions& options,
                                                      const std::stop_token& stop,
                                                      std::size_t most = most_regression_rows);

/// Adds the rows to the caption, "Rows: the test set, 1,000 of 5,000, evenly spaced.", and the setting of the run.
Chart on_rows(Chart chart, const RunSnapshot& run, const RegressionRows& rows);

/// "93 of 100 rows inside, 93.0 %"
std::string words_of_coverage(const RegressionRows& rows);
/// "93 of 100 rows (93.0 %) are inside their 95 % interval; exact 95 % interval of that share: 86.1 % to 97.1 %."
std::string sentence_of_coverage(const RegressionRows& rows);

Chart to_chart_of_observed(const RegressionRows& rows);
Chart to_chart_of_residuals(const RegressionRows& rows);

/// Coverage against level and the PIT histogram of a numeric target, each with the range of calibrated
/// predictions; widths and scores in the table.
Chart to_chart_of_calibration(const RegressionRows& rows);

struct TestPredictions;   // views/compare_runs.h

/// Draws the calibration of several runs on the same rows, which are not empty: one line each.
Chart overlay_of_calibration(std::span<const std::string> names, std::span<const TestPredictions> runs);

}   // namespace credence
