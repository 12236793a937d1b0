// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <stop_token>

namespace credence {

/// Columns of the table of test rows that ask to be sorted and filtered by. Of classes: row, truth, predicted, right, entropy and what follows; of a
/// number to predict: row, truth, predicted, error, spread.
namespace test_row {
inline constexpr int row = 0, truth = 1, predicted = 2;
inline constexpr int right = 3, confidence = 4, entropy = 5, epistemic = 6, no_overlap = 7,
                     probable = 8;   ///< right and the two criteria: 1 or 0
inline constexpr int error = 3, spread = 4;
}   // namespace test_row

/// What the run says of each test row (training row where there is no test set), as a table, with no picture.
/// @return  a chart with a table and no panels; empty if `stop` was requested
std::optional<Chart> test_rows(const RunMoment& moment, const ViewOptions& options, std::stop_token stop = {});

}   // namespace credence
