// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/series_plotter.h"

#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace credence {

// What the panels of a chart need and what they share, before anything is drawn.

/// How many panels stand side by side in this width: as many as the chart asks for, fewer where they would become too narrow to read.
int columnsFor(const Chart& chart, int width);
/// The height below which the panels of a chart become too low to read; 0: one row fits any height.
int leastHeight(const Chart& chart, int columns);
/// Text of `pixels` and lines to match, a little smaller in small panels.
/// @param whole  see DrawScale
DrawScale drawScale(const Chart& chart, QFont font, int pixels, QSize size, bool whole = false);

/// How thick lines and markers of all charts on screen are, in their usual width. Files and what is copied are not touched.
double screenLines();
/// Sets it; charts take it when they are next drawn in another font or palette.
/// @param factor  > 0
void setScreenLines(double factor);

/// What the colour bar of a panel says.
struct ColourScale {
    std::string name, unit;
    Range range;
    ColourMap map                             = ColourMap::viridis;
    bool logarithmic                          = false;
    bool stretched                            = false;   ///< of counts by classes: colours by the cube root
    bool operator==(const ColourScale&) const = default;
};
/// A matrix of counts, one class against another: its cells carry their numbers.
bool countsClasses(const Panel& panel, const HeatMap& map);
/// Of the first map that measures something; empty: the panel has no colour bar.
std::optional<ColourScale> colourScale(const Panel& panel);

/// "Predictive entropy / nats"
QString axisLabel(const std::string& label, const std::string& unit);
/// One scale for what is compared: all panels measure the same quantity on the same range.
bool sharesColourBar(const Chart& chart, int columns);
/// Do bars stand on whole numbers? Then these are counted.
bool countsBars(const Panel& panel);
std::vector<QString> legendTexts(const Panel& panel);
/// All panels name the same things.
bool sharesLegend(const Chart& chart);
/// First panel in the row of panel `k`, and the one after its last.
std::pair<std::ptrdiff_t, std::ptrdiff_t> neighbours(std::size_t k, std::size_t panels, int columns);

}   // namespace credence
