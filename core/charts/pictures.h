// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "data/image_shape.h"

#include <span>

namespace credence {

/// An image for drawing. @param values  0 to 255 [channels × height × width], rounded and clipped;
/// one or three channels
Picture picture_of(std::span<const float> values, const ImageShape& shape);
Picture picture_of(std::span<const std::uint8_t> values, const ImageShape& shape);

/// Pictures of one size in rows of `per_row`, each 0.88 wide on a grid of 1, with space for
/// `caption_lines` lines below; no axes. A shorter single row is centred.
Panel picture_panel(std::string title, std::vector<Picture> pictures, int per_row, int caption_lines);

/// Adds one picture to the left of the first panel, with a quarter of the width. @param caption
/// below it; can be empty
void add_side_picture(Chart& chart, Picture picture, const std::string& caption);

}   // namespace credence
