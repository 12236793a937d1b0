// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/chart_palette.h"

#include <QImage>

namespace credence {
struct DataSpec;
}

/// A small square picture of what a Study learns from, drawn from the data themselves: points by class, points of a curve, or nine images. Of sets that are read from files only
/// their name: nothing is read for a picture. Any thread; some milliseconds.
/// @param side  in logical pixels
QImage presetPicture(const credence::DataSpec& data, const credence::ChartPalette& palette, int side,
                     double devicePixelRatio);
