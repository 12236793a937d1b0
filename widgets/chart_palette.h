// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QColor>

#include <array>
#include <vector>

class QPalette;

namespace credence {

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
