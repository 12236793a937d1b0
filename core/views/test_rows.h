// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

namespace credence {

/// Columns of the table of the view test_rows that ask to be sorted and filtered by. Of classes: row, truth, predicted, right, confidence, … epistemic part and
/// the two criteria; of a number to predict: row, truth, predicted mean, predictive sd, residuals, sd of the function. The values of the features stand behind.
namespace test_row {
inline constexpr int row = 0, truth = 1, predicted = 2;
inline constexpr int right = 3, confidence = 4, entropy = 5, epistemic = 6, no_overlap = 7,
                     probable = 8;   ///< right and the two criteria: 1 or 0
inline constexpr int sd = 3, residual = 4, standardised = 5, function_sd = 6;

/// Returns whether the rows are of classes: then truth and predicted are their names.
bool of_classes(const Table& table);
/// Returns the column of the first feature; that of the last is the last of the table. There may be none.
int first_feature(const Table& table);
}   // namespace test_row

}   // namespace credence
