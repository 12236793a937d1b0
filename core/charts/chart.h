// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/number_text.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace credence {

/// A picture as a value: panels with axes and series. Figure values (`Boxplots`, `DecisionMap`, …)
/// become a Chart by `to_chart`; one widget draws every Chart, on screen and into files; one
/// exporter writes every Chart as CSV and LaTeX; tests read it without a screen. Colours are named
/// by their meaning; the view looks them up in the palette of the screen or of print.
struct Tone {
    enum class Kind {
        category,   ///< colour and marker number `index` of the colour-blind-safe list
        neutral,    ///< the text colour
        muted,      ///< grey
        accent,     ///< the colour of selection
        data,       ///< observed points that belong to no class
        prior,
        posterior,
        training,   ///< curves over the training set
        test,
        right,   ///< true class, correct
        wrong,
        level,   ///< `index` 0 … n_levels − 1 of a scale from low to high
    };
    Kind kind                          = Kind::neutral;
    int index                          = 0;
    bool operator==(const Tone&) const = default;
};
inline constexpr int n_levels = 5;
inline Tone category(int index) { return {Tone::Kind::category, index}; }

/// A row of the run's data that corresponds to a point or a table row of a chart. A click on the
/// point selects the row.
struct DataRow {
    enum class Part {
        scored,     ///< test rows; training rows if there are none
        training,   ///< training rows of data with a test set
        ood,        ///< out-of-distribution inputs of runs/other_data.h
    };
    Part part                             = Part::scored;
    std::uint32_t row                     = 0;
    bool operator==(const DataRow&) const = default;
};

enum class LineStyle { solid, dashed, dotted };

using Range = std::pair<double, double>;

/// Position `at` of 0 … n − 1 along a range: in equal steps, or on a logarithmic axis by equal factors (both ends
/// are above 0). The first end if n < 2.
double position_between(Range ends, int n, double at, bool logarithmic);

struct Axis {
    std::string label{};            ///< "Predictive entropy"
    std::string unit{};             ///< "nats"; empty for pure numbers
    std::optional<Range> range{};   ///< empty: fits the series
    bool logarithmic = false;
    std::vector<std::string> categories{};   ///< tick labels at 0, 1, 2, …; empty: numbers
    bool whole_names =
        false;             ///< of a y axis: every category is named, also in a small panel, if need be in small type
    bool hidden = false;   ///< no line, ticks or label: positions on it have no measure (pictures)
};

struct Line {
    std::string name{};             ///< for the legend; empty: not listed
    std::vector<double> x{}, y{};   ///< NaN breaks the line
    Tone tone{};
    LineStyle style = LineStyle::solid;
    double width    = 1.5;   ///< points
    double opacity  = 1;
    bool steps      = false;   ///< histogram outline, CDF
    bool halo       = false;   ///< a border in the background colour, so that the line shows on a
                               ///< colour map
};
struct Band {
    std::string name{};
    std::vector<double> x{}, lower{}, upper{};
    Tone tone{};
    double opacity = 0.25;
};
enum class Marker { by_category, circle, square, triangle, diamond, cross, plus };
struct Points {
    std::string name{};
    std::vector<double> x{}, y{};
    Tone tone{};
    Marker marker = Marker::by_category;
    double size   = 5;   ///< points
    bool filled   = true;
    std::vector<std::string> labels{};   ///< next to each point; empty: none
    std::vector<DataRow> data_rows{};    ///< that each point stands for; empty: none
    double opacity = 1;
};
struct Bars {
    std::string name{};
    std::vector<double> position{}, height{};   ///< centre of each bar
    double width = 1;                           ///< in units of the axis of the positions
    Tone tone{};
    double opacity  = 0.6;
    bool horizontal = false;                         ///< positions on the y axis, heights along the x axis
    std::vector<std::string> labels{};               ///< at the end of each bar; empty: none
    std::vector<std::vector<DataRow>> data_rows{};   ///< that each bar counts; empty: none
};
struct Box {
    double position      = 0;
    double lower_whisker = 0, lower_quartile = 0, median = 0, upper_quartile = 0, upper_whisker = 0;
    std::vector<double> outliers{};
    Tone tone{};
    bool wrong = false;   ///< has a rim in the tone `wrong`
};
struct Boxes {
    std::string name{};
    std::vector<Box> boxes{};
    double width = 0.6;
};
struct IntervalBar {
    double position = 0, lower = 0, centre = 0, upper = 0;
    Tone tone{};
    bool wrong = false;   ///< has a rim in the tone `wrong`
};
struct IntervalBars {
    std::string name{};
    std::vector<IntervalBar> bars{};
    bool thin = false;   ///< for many bars: pale lines without caps and centres
};
enum class ColourMap { viridis, cividis, diverging };
struct HeatMap {
    std::string name{};   ///< of the quantity: "Predictive entropy"
    std::string unit{};
    int nx = 0, ny = 0;
    Range x{}, y{};           ///< centres of the first and last cell
    std::vector<float> z{};   ///< [ny × nx], row 0 at y.first
    Range z_range{};          ///< of the colour scale; the same for maps that are compared
    ColourMap map = ColourMap::viridis;
    std::vector<double> contours{};   ///< levels drawn as lines over the map
    std::vector<std::string>
        categories{};             ///< regions instead of numbers: z holds 0, 1, …, each with its category tone
    std::string part{};           ///< which of several maps of a panel, for the table: "kernel 3"
    bool discrete      = false;   ///< separate values, as the weights of a kernel: never interpolated
    bool x_logarithmic = false, y_logarithmic = false;   ///< cells are equally wide in ln x, equally high in ln y

    double x_at(double column) const { return position_between(x, nx, column, x_logarithmic); }   ///< of its centre
    double y_at(double row) const { return position_between(y, ny, row, y_logarithmic); }
};
/// A map on the triangle of a panel: n² small triangles of equal area, in the order of TernaryGrid.
struct TernaryMap {
    std::string name{};   ///< of the quantity: "Density"
    std::string unit{};
    int n = 0;                  ///< cells per side
    std::vector<float> z{};     ///< [n²]; NaN: not drawn
    Range z_range{};            ///< of the colour scale; the same for maps that are compared
    bool logarithmic = false;   ///< colours by ln z; z_range is positive, smaller z gets the lowest
                                ///< colour
    ColourMap map = ColourMap::viridis;
};
/// An image of bytes, placed in the panel pixel by pixel: never smoothed, on screen or in files.
struct Picture {
    double x = 0, y = 0;                  ///< its centre
    double width = 1, height = 1;         ///< in units of the axes
    int columns = 0, rows = 0;            ///< pixels
    int channels = 1;                     ///< 1 grey (0 black, 255 white), 3 red, green, blue
    std::vector<std::uint8_t> pixels{};   ///< [channels × rows × columns], row 0 on top
    std::string caption{};                ///< below it; '\n' starts a new line
    std::optional<Tone> frame{};          ///< empty: a thin one that marks the edge
};
struct Pictures {
    std::string name{};
    std::vector<Picture> pictures{};
    double caption_room = 0;   ///< below each, in units of y; text is made smaller or cut to fit. 0: no limit
};
/// A line across the panel.
struct Rule {
    enum class Direction { horizontal, vertical, diagonal } direction = Direction::horizontal;
    double at                                                         = 0;   ///< ignored for diagonal (y = x)
    std::string label{};
    Tone tone{Tone::Kind::muted};
    LineStyle style = LineStyle::dashed;
};

using Series = std::variant<HeatMap, Band, Bars, Line, Boxes, IntervalBars, Points, Rule, Pictures,
                            TernaryMap>;   ///< drawn in the order given

/// Three classes at the corners of an equilateral triangle (lower left, lower right, top), instead
/// of axes. In such a panel x is the probability of the first class and y that of the second; the
/// third is the remainder. Lines, points and ternary maps only.
struct Triangle {
    std::array<std::string, 3> corners{};
    std::array<Tone, 3> tones{};   ///< of their names
    bool operator==(const Triangle&) const = default;
};

struct Panel {
    std::string title{};   ///< '\n' starts a new line
    std::string note{};    ///< below the title in pictures and not part of its name: what the panel
                           ///< leaves out
    Axis x{}, y{};
    std::vector<Series> series{};
    bool legend       = true;    ///< shown if at least one series has a name
    bool equal_aspect = false;   ///< one unit of x is as long as one unit of y
    double weight     = 1;       ///< its share of the space next to panels of weight 1
    std::optional<Triangle> triangle{};
    /// Describes what is near a point under the pointer, instead of its coordinates; empty text:
    /// nothing is near.
    std::function<std::string(double x, double y)> words_at{};
};

/// The text above a panel: its title and its note. Empty: nothing.
inline std::string heading(const Panel& panel)
{
    return panel.title + (panel.title.empty() || panel.note.empty() ? "" : "\n") + panel.note;
}

using Cell = std::variant<std::string, double, long>;
struct Column {
    std::string name{};
    std::string unit{};
    int decimals = -1;   ///< shown on screen; -1: shortest readable form. Files contain all digits
};
struct Table {
    std::vector<Column> columns{};
    std::vector<std::vector<Cell>> rows{};
    std::vector<DataRow> data_rows{};   ///< that each row stands for; empty: none
};

struct Chart {
    std::string id{};   ///< view's id: "boxplots"
    std::string title{};
    std::string caption{};   ///< one or two sentences: what is drawn, data, method, settings, seed
    std::string message{};   ///< if not empty: why there is nothing to draw, and what to do
    int columns = 1;         ///< panels per row
    std::vector<Panel> panels{};
    std::optional<Table> table{};   ///< a view that is a table (certainty, scores) or has one next
                                    ///< to the panels
};

/// The data of a chart, exactly as drawn: the chart's own table if it has no panels, otherwise one
/// row per point with panel and series.
Table data_table(const Chart& chart);
/// RFC 4180, decimal point, 17 significant digits, units in the header; `comments` become leading
/// `# ` lines.
std::string to_csv(const Table& table, const std::string& comments = {});
/// The rows of to_csv without header, for tables that are written block by block.
std::string csv_rows(const Table& table);
/// pgfplots (groupplot) for panels, booktabs tabular for tables, with the caption. `comments`
/// become leading `% ` lines.
std::string to_latex(const Chart& chart, const std::string& comments = {});

/// A cell as displayed: text unchanged, numbers with the column's decimals, or with four
/// significant digits.
std::string cell_text(const Cell& cell, const Column& column);
/// Gives the numbers of a column of one quantity the same decimals, from four digits of the
/// largest, unless this would hide many small ones. Columns with their own decimals keep them.
void align_decimals(Table& table);
/// "Predictive entropy [nats]", or the label alone without a unit.
std::string label_with_unit(const std::string& label, const std::string& unit);

/// Describes the axes of a panel in words: "Across: Step, 0 to 5000. Up: Loss [nats], 0.1 to 2.3,
/// logarithmic." Ranges are those of the axes, otherwise those of the series; for a triangle the
/// three corners are named. Empty: there is no axis.
std::string axes_in_words(const Panel& panel);

/// Describes a chart for readers who cannot see it: panels, axes, and the main features of each
/// series (start, end, minimum and maximum of a curve; medians and quartiles; the range of a map or
/// the shares of its regions). At most `series_each` series of a panel are described one by one,
/// the others counted. A chart without figures gives its message; a table gives its size and
/// columns. Numbers have three significant digits; `data_table` has all of them.
std::string summary_in_words(const Chart& chart, std::size_t series_each = 4);

/// Reduces the points of a long line, keeping its ends: no omitted point is farther than
/// `tolerance` from the drawn line, in units of the whole extent of x and of y (Douglas and Peucker
/// 1973). If more than `most` points would remain, the tolerance is doubled until they do not.
/// @return  the tolerance that was used; 0: the line is short and all points stay
double thin_line(std::vector<double>& x, std::vector<double>& y, std::size_t most = 800, double tolerance = 2e-5);

}   // namespace credence
