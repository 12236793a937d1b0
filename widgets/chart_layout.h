// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_palette.h"

#include <QFont>
#include <QString>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QCPAbstractPlottable;
class QCPAxis;

namespace credence {

/// Sizes of text and pens.
struct DrawScale {
    QFont font;                      ///< of axis labels; its pixel size is set
    double pixelsPerPoint = 1;       ///< of line widths and markers
    bool whole            = false;   ///< files never shorten text: labels and legends use more lines or a smaller font
    bool compact          = false;   ///< small panels on screen: text is inside the axes, see PanelWords
    bool filling          = false;   ///< a larger panel that is compact, too: a map that fills its area

    QFont tickFont() const;
    QFont titleFont() const;
};

/// The plottables of one series in one panel. They are reused while the kind of series is the same;
/// `fill` only updates data.
class SeriesPlotter {
public:
    SeriesPlotter(const Series& series, QCPAxis* x, QCPAxis* y);
    void fill(const Series& series, const Panel& panel, const ChartPalette& palette, const DrawScale& scale);

    /// Series of the same kind can share plottables.
    static int kind(const Series& series);

private:
    std::vector<QCPAbstractPlottable*> m_plottables;   ///< owned by the plot
};

// Computed before drawing: the space that the panels of a chart need, and the elements that they
// share.

/// Number of panels per row at this width: as requested by the chart, or fewer if they would become
/// too narrow to read.
int columnsFor(const Chart& chart, int width);
/// Returns the number of panels per row on screen, where charts do not scroll: more per row if
/// panels would become too low.
int columnsFor(const Chart& chart, QSize size);
/// The minimum height in files at which the panels of a chart can be read; 0: any height, since there is one
/// row.
int leastHeight(const Chart& chart, int columns);
/// Text of `pixels` and matching lines, slightly smaller in small panels. On screen, rows of panels lower than 260
/// pixels are compact.
/// @param columns  panels per row
/// @param whole    see DrawScale
DrawScale drawScale(const Chart& chart, QFont font, int pixels, QSize size, int columns, bool whole = false);

/// Scale of lines and markers of all charts on screen. Files and copied figures are not affected.
double screenLines();
/// Sets the scale. Charts apply it at the next change of font or palette.
/// @param factor  > 0
void setScreenLines(double factor);

/// Range and label of a panel's colour bar.
struct ColourScale {
    std::string name, unit;
    Range range;
    ColourMap map                             = ColourMap::viridis;
    bool logarithmic                          = false;
    bool stretched                            = false;   ///< class counts: colours by the cube root
    bool operator==(const ColourScale&) const = default;
    /// Returns true if both keys are the same, also for maps of other names.
    bool looksLike(ColourScale other) const
    {
        other.name = name;
        return *this == other;
    }
};
/// Is this a matrix of class counts, whose cells show their numbers?
bool countsClasses(const Panel& panel, const HeatMap& map);
/// Returns the colour scale of the first map of a measured quantity; empty: the panel has no colour
/// bar.
std::optional<ColourScale> colourScale(const Panel& panel);
/// Returns true if the chart is a single panel with a map over two numbers, without a table.
bool isSingleMap(const Chart& chart);

/// "Predictive entropy / nats"
QString axisLabel(const std::string& label, const std::string& unit);
/// Do all panels show the same quantity on the same range, so that they can share a colour bar?
bool sharesColourBar(const Chart& chart, int columns);
/// Are all bars at integers? Then ticks are counts.
bool countsBars(const Panel& panel);
std::vector<QString> legendTexts(const Panel& panel);
/// Do all panels have the same legend entries?
bool sharesLegend(const Chart& chart);
/// First panel in the row of panel `k`, and the one after its last.
std::pair<std::ptrdiff_t, std::ptrdiff_t> neighbours(std::size_t k, std::size_t panels, int columns);

}   // namespace credence
