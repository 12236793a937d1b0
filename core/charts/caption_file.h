// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <string>

namespace credence {

// The text file next to a figure: what it shows, and every setting that made it.

/// Writes title, caption and, one per line, the settings: "Learning rate η: 0.001", "Steps: 5000
/// steps".
/// @param settings  columns setting, value, unit; without rows the settings are omitted
std::string caption_as_text(const Chart& chart, const Table& settings);

/// Writes \caption and \label, to be read by \input inside a figure, and after them the settings as
/// a table in comments.
/// @param label  follows "fig:", "two_moons_decision_map"
std::string caption_as_latex(const Chart& chart, const Table& settings, const std::string& label);

}   // namespace credence
