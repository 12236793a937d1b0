// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"
#include "prediction/calibration.h"
#include "prediction/scores.h"

#include <cmath>
#include <numbers>

namespace credence {

using namespace lint_support;

namespace {

constexpr double most_by_chance = 0.15;   // largest ECE by chance of a calibrated network
constexpr long few_rows         = 10;     // in a bin

/// The expected ECE of a calibrated network with so many rows: Σ_b √(2/π · Σ_{i in b} p_i(1 −
/// p_i))/N.
double ece_by_chance(std::span<const ReliabilityBin> bins, std::span<const double> confidence)
{
    double sum = 0;
    for (const auto& bin : bins) {
        double variance = 0;
        for (const double p : confidence)
            if (p > bin.lower && p <= bin.upper)
                variance += p * (1 - p);
        sum += std::sqrt(2 / std::numbers::pi * variance);
    }
    return sum / static_cast<double>(confidence.size());
}

std::optional<Finding> check_calibration_bins(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto scored = predictions(lint_case, stop);
    if (!scored || scored->labels.empty() || scored->rows.size() < scored->n_all)
        return {};
    const auto& classes = scored->set.classes;
    const auto bins     = reliability_bins(classes.confidence, correct_each(classes, scored->labels));
    const double chance = ece_by_chance(bins, classes.confidence);
    if (chance <= most_by_chance)
        return {};
    long filled = 0, sparse = 0;
    for (const auto& bin : bins) {
        filled += bin.count > 0;
        sparse += bin.count > 0 && bin.count < few_rows;
    }
    return Finding{
        .severity = Severity::doubtful,
        .title    = "There are too few rows to judge the calibration.",
        .evidence = std::to_string(sparse) + " of " + std::to_string(filled) + " bins have fewer than "
                    + std::to_string(few_rows) + " of the " + counted(static_cast<long>(scored->rows.size()), "row")
                    + ". A calibrated network would have an expected calibration error (ECE) of " + number(chance)
                    + " by chance, expected at most " + number(most_by_chance) + "; this run has "
                    + number(expected_calibration_error(bins)) + ".",
        .reason = "In a bin with few rows, accuracy is nearly always far from confidence, however good the network is.",
        .remedy = {.label = "Show the calibration", .view = "calibration"}};
}

}   // namespace

LintRule calibration_bins_rule()
{
    return {
        .id    = "calibration_bins",
        .title = "Calibration bins with too few rows",
        .what = "Classification: the expected calibration error in 15 bins (Guo et al. 2017) that a calibrated network "
                "would have by chance with these rows, Σ_b √(2/π · Σ p(1 − p))/N over the rows of bin b. Doubtful "
                "above 0.15.",
        .idea = "Guo et al. 2017 (15 bins)",
        .threshold = "chosen for Credence: an ECE of 0.15 by chance",
        .check     = check_calibration_bins};
}

}   // namespace credence
