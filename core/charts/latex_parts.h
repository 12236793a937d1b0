// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <array>
#include <sstream>
#include <string>

namespace credence {

/// Text that TeX typesets as it reads: specials escaped; Greek letters, signs, superscripts and p̄
/// as mathematics. Other letters stay UTF-8.
std::string tex_text(const std::string& text);

}   // namespace credence

/// The appearance of charts in pgfplots; shared by the files that write them.
namespace credence::latex {

/// The print palette, as HTML colours: Okabe and Ito's, which colour-blind readers can tell apart.
inline constexpr std::array category_colours = {"0072B2", "E69F00", "009E73", "CC79A7",
                                                "56B4E9", "D55E00", "F0E442", "000000"};

std::string colour(const Tone& tone);
std::string marker(const Points& points);
std::string dash(LineStyle style);
std::string number(double value);   ///< more precise than a printer; the CSV has all digits
std::string pair(double x, double y);

/// One series of one panel.
void write_series(std::ostringstream& out, const Series& series);

}   // namespace credence::latex
