// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <vector>

namespace credence {

/// Charts as the views make them, from closed formulas: one of each kind of series and each kind of
/// panel.
Chart decisionMapChart(int cells = 100);
Chart decisionMapsChart();   ///< three panels that share one colour scale
Chart regionsChart();        ///< category regions with points
Chart regressionChart();     ///< bands, a bundle of lines, points
Chart boxplotsChart(int classes = 4);
Chart intervalsChart();
Chart trainingChart(int points = 200);
Chart histogramsChart();   ///< 2 × 2 panels of bars and lines
Chart confusionChart();
Chart reliabilityChart();
Chart certaintyChart();   ///< a table only
Chart emptyChart();
std::vector<Chart> sampleCharts();

}   // namespace credence
