// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
};
void paintSymbol(QPainter& painter, const QRectF& box, Symbol symbol, const ChartPalette& colours);

}   // namespace credence
