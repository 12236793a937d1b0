// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QColor>

#include <array>
#include <vector>

class QPalette;

namespace credence {

/// Minimum contrast of text and background: WCAG 2.2, success criterion 1.4.3.
inline constexpr double leastTextContrast = 4.5;

/// Returns the relative luminance of an opaque sRGB colour, 0 (black) to 1 (white): 0.2126 R +
/// 0.7152 G + 0.0722 B of linear channels (WCAG 2.2).
double relativeLuminance(const QColor& colour);

/// Returns the contrast of two opaque colours, (L1 + 0.05) / (L2 + 0.05) with L1 >= L2: 1 (equal)
/// to 21 (black on white) (WCAG 2.2).
double contrastRatio(const QColor& a, const QColor& b);

/// Returns `colour`, darkened on a light background or lightened on a dark one until text has
/// leastTextContrast.
QColor legible(const QColor& colour, const QColor& ground);

/// Returns black or white, whichever has more contrast with the background: at least 4.58 with any.
QColor blackOrWhite(const QColor& ground);

/// Returns `over` blended onto `ground` with this opacity in [0, 1].
QColor laidOver(const QColor& over, const QColor& ground, double opacity);

/// The colours of each Tone on one background. Views never name a colour themselves.
struct ChartPalette {
    QColor background, text, muted, grid, frame, accent, data, prior, posterior, training, test, right, wrong;
    QColor outline;                     ///< around filled markers, to separate them from a colour map
    std::array<QColor, 8> categories;   ///< Okabe and Ito 2008: distinguishable for colour-blind readers
    double regionOpacity = 0.45;        ///< of category regions over the background

    QColor colour(Tone tone) const;
    QColor category(int index) const;   ///< repeats after eight, with another marker
    QColor region(int index) const;     ///< a category's colour mixed with the background, opaque
    bool operator==(const ChartPalette&) const = default;

    static ChartPalette light();
    static ChartPalette dark();
    static ChartPalette print();   ///< black on white
    static ChartPalette
    forScreen(const QPalette& palette);   ///< background, text and selection of the desktop, light or dark
};

/// The marker of category `index`: circle, square, triangle, diamond, cross, plus, and so on.
Marker categoryMarker(int index);

/// Equidistant anchors from the lowest to the highest value. Viridis and cividis: ten anchors of
/// the maps of matplotlib (van der Walt and Smith 2015; Nuñez, Anderton and Renslow 2018);
/// diverging: ColorBrewer RdBu from blue to red.
const std::vector<QColor>& anchors(ColourMap map);
/// The colour at `share` in [0, 1], linear between anchors in sRGB.
QColor mapColour(ColourMap map, double share);

}   // namespace credence
