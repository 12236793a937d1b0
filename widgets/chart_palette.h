// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QColor>

#include <array>
#include <vector>

class QPalette;

namespace credence {

/// What each Tone looks like on one ground. Views never name a colour themselves.
struct ChartPalette {
    QColor background, text, muted, grid, frame, accent, data, prior, posterior, training, test, right, wrong;
    QColor outline;                     ///< around filled markers, so that they stand out on a colour map
    std::array<QColor, 8> categories;   ///< Okabe and Ito 2008: told apart by colour-blind readers
    double regionOpacity = 0.45;        ///< of category regions over the ground

    QColor colour(Tone tone) const;
    QColor category(int index) const;   ///< repeats after eight; the marker then differs
    QColor region(int index) const;     ///< a category's colour mixed with the ground, opaque
    bool operator==(const ChartPalette&) const = default;

    static ChartPalette light();
    static ChartPalette dark();
    static ChartPalette print();   ///< black on white
    static ChartPalette
    forScreen(const QPalette& palette);   ///< ground, text and selection of the desktop, light or dark
};

/// The marker of category `index`: circle, square, triangle, diamond, cross, plus, and so on.
Marker categoryMarker(int index);

/// Equidistant anchors from the lowest to the highest value. Viridis and cividis: ten anchors of the maps of matplotlib
/// (van der Walt and Smith 2015; Nuñez, Anderton and Renslow 2018); diverging: ColorBrewer RdBu from blue to red.
const std::vector<QColor>& anchors(ColourMap map);
/// The colour of `share` in [0, 1], linear between anchors in sRGB.
QColor mapColour(ColourMap map, double share);

}   // namespace credence
