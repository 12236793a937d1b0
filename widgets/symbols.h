// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QPainter;
class QRectF;

namespace credence {

struct ChartPalette;

/// A small picture of one part of a study, 16 pixels or larger.
enum class Symbol {
    images,      ///< four tiles
    table,       ///< cells below a header
    network,     ///< units in layers
    density,     ///< a bell within that of a wide prior
    one_value,   ///< a spike: one set of weights
    masks,       ///< two values, of which one is dropped
    samples,     ///< dots piled to a histogram
    loss,        ///< a falling curve
    intervals,   ///< two boxplots
    sliders,     ///< three, at different values
    curves,      ///< two that rise from one point
};
/// Columns of at most four dots, joined by lines. @param units  of each column; 0: a block
void paintUnits(QPainter& painter, const QRectF& box, const std::vector<int>& units, const ChartPalette& colours);
void paintSymbol(QPainter& painter, const QRectF& box, Symbol symbol, const ChartPalette& colours);

}   // namespace credence
