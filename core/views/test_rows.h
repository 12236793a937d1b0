// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

namespace credence {

/// Columns by which the table of the view test_rows can be sorted and filtered. Classification:
/// row, truth, predicted, right, confidence, … epistemic part and the two criteria. Regression:
/// row, truth, predicted mean, predictive sd, residuals, sd of the function. The feature values
/// follow after them.
namespace test_row {
inline constexpr int row = 0, truth = 1, predicted = 2;
inline constexpr int right = 3, confidence = 4, entropy = 5, epistemic = 6, no_overlap = 7,
                     probable = 8;   ///< right and the two criteria: 1 or 0
inline constexpr int sd = 3, residual = 4, standardised = 5, function_sd = 6;

/// Returns true for classification: then truth and predicted are class names.
bool of_classes(const Table& table);
/// Returns the column of the first feature; the last feature is the last column. There may be none.
int first_feature(const Table& table);
}   // namespace test_row

}   // namespace credence
