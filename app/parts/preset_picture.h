// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_palette.h"

#include <QImage>

namespace credence {
struct DataSpec;
}

/// A small square preview of a Study's data: points by class, points of a curve, or nine images.
/// Sets read from files show only their name, so that nothing is read. Thread-safe; takes some
/// milliseconds.
/// @param side  in logical pixels
QImage presetPicture(const credence::DataSpec& data, const credence::ChartPalette& palette, int side,
                     double devicePixelRatio);
