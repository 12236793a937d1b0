// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "prediction/conformal.h"
#include "prediction/regression.h"
#include "runs/experiment.h"
#include "views/views.h"

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// Conformal sets and intervals of a run, by prediction.conformal (docs/maths.md, section 8).
namespace credence::view_support {

/// Returns why a run has no conformal sets: none requested, no calibration rows, or a score for
/// other targets.
std::optional<std::string> why_no_conformal(const Experiment& experiment);

/// The scores of the calibration rows at one snapshot. Their predictions are those of every view,
/// recalibrated if the Study requests it. In that case, half of the rows have a score
/// (halves_calibration_rows).
struct ConformalCalibration {
    ConformalOptions options{};
    ConformalBy by     = ConformalBy::all;
    double level       = 0.95;
    std::uint64_t seed = 1;   ///< of random shares
    std::size_t n      = 0;
    std::string rows{};                          ///< "calibration rows"
    std::vector<std::vector<double>> scores{};   ///< ascending, by group: all rows, by class, or by value
    std::vector<std::string> groups{};           ///< their names
    std::vector<std::size_t> columns{};          ///< features whose values name the group of an input
    std::map<std::vector<float>, std::size_t> group_of_values{};   ///< these values, standardised

    /// Returns the group of a new row, by its features or by its class.
    /// @param input  standardised [n_features]
    /// @return       empty: its values do not occur among the calibration rows
    std::optional<std::size_t> group_of(std::span<const float> input, std::optional<int> label = {}) const;
    /// @param group  empty: +∞
    double threshold(std::optional<std::size_t> group, double at_level) const;

    std::vector<int> set(std::span<const double> p, std::span<const float> input) const;   ///< classes, ascending
    Range interval(const PredictedNumber& predicted, std::span<const float> input) const;
    /// Groups with too few rows for the level: their sets contain every value.
    std::vector<std::string> too_small() const;
    /// "APS at 90 %, calibrated on 200 calibration rows"
    std::string text() const;
};

/// Cached for the last snapshots. @return  null: stopped
/// @throws Error  the reason of why_no_conformal, or an unknown column
std::shared_ptr<const ConformalCalibration> conformal_calibration(const RunSnapshot& run, const ViewOptions& options,
                                                                  const std::stop_token& stop);
/// The conformal set of the selected input, classes ascending.
/// @param p  its mean probabilities [K]
/// @return   empty: no score is set, there are no calibration rows, or stopped
std::optional<std::vector<int>> conformal_set_of_chosen(const RunSnapshot& run, const ViewOptions& options,
                                                        std::span<const double> p, std::span<const float> input,
                                                        const std::stop_token& stop);

/// Returns the numbers that conformal intervals of a regression need [N]; quantiles only for CQR.
std::vector<PredictedNumber> predicted_numbers(const RegressionSamples& samples, ConformalScore score, double level);

/// Conformal intervals along a curve of inputs, and the sentence about them.
struct ConformalLines {
    std::vector<Line> lines{};   ///< lower and upper ends; empty: no score is set
    std::string caption{};
};
/// @param x       positions on the axis [n]
/// @param inputs  standardised [n × n_features]
/// @return        empty: stopped
std::optional<ConformalLines> conformal_lines(const RunSnapshot& run, const ViewOptions& options,
                                              const std::vector<double>& x, const RegressionSamples& samples,
                                              std::span<const float> inputs, const std::stop_token& stop);
/// Adds the lines to the first panel.
void add_lines(Chart& chart, const ConformalLines& conformal);

/// The sets or intervals of many rows, and whether they contain the true values.
struct ConformalRows {
    std::string name{};
    std::vector<double> sizes{};                        ///< number of classes, or width in the target's units [n]
    std::vector<double> spreads{};                      ///< predictive entropy or standard deviation [n]
    std::vector<double> scores{};                       ///< of the true values [n]; empty: they are unknown
    std::vector<std::optional<std::size_t>> groups{};   ///< of these scores [n]
    std::vector<char> always{};                         ///< part of every set: the most probable class [n]
    std::vector<int> labels{};                          ///< classification, if known [n]

    bool known() const { return !scores.empty(); }
    bool covers(std::size_t row, const ConformalCalibration& calibration, double level) const
    {
        return always[row] != 0 || scores[row] <= calibration.threshold(groups[row], level);
    }
};
struct ConformalEvaluation {
    std::shared_ptr<const ConformalCalibration> calibration;
    ConformalRows test;
    std::vector<std::size_t> remote{};   ///< tables: the tenth of the test rows farthest from the training rows

    double coverage() const;   ///< share of the test rows covered at the level; @pre there are any
};
/// Evaluates the test rows, never the calibration rows; cached. @return  null: stopped
std::shared_ptr<const ConformalEvaluation> conformal_evaluation(const RunSnapshot& run, const ViewOptions& options,
                                                                const std::stop_token& stop);
/// Evaluates the out-of-distribution rows. @return  empty: stopped
std::optional<ConformalRows> conformal_ood(const RunSnapshot& run, const ViewOptions& options,
                                           const ConformalCalibration& calibration, const std::stop_token& stop);

std::string title_of(ConformalScore score);   ///< "APS", "absolute residuals"
/// "{3, 8}", "{}" for no class
std::string set_text(std::span<const int> set, const std::vector<std::string>& class_names);

}   // namespace credence::view_support
