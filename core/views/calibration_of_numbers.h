// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "views/compare_runs.h"

#include <span>
#include <string>

namespace credence {

/// Coverage against level and the PIT histogram of a numeric target, each with the range of calibrated
/// predictions; widths and scores in the table.
Chart to_chart_of_calibration(const RegressionRows& rows);

/// The same of several runs on the same rows, which are not empty: one line each.
Chart overlay_of_calibration(std::span<const std::string> names, std::span<const TestPredictions> runs);

}   // namespace credence
