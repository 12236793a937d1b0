// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace credence {

inline constexpr double usual_font_pt = 8.25;   ///< text size of a figure, points

/// A common page format for figures: column widths of most journals, and a slide.
struct NamedFigureSize {
    std::string id;      ///< "column" (command line: --size column)
    std::string title;   ///< "One column"
    double width_mm = 0, height_mm = 0;
    double font_pt = usual_font_pt;   ///< a readable text size
};

/// All of them, narrowest first.
const std::vector<NamedFigureSize>& figure_sizes();
/// @throws Error "--size is \"poster\", expected WIDTHxHEIGHT in mm, such as 120x90, or one of
/// column, two_columns, slide."
const NamedFigureSize& figure_size_named(const std::string& id);

}   // namespace credence
