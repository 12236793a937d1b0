// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "data/image_shape.h"

#include <span>

namespace credence {

/// An image as it is drawn. @param values  0 to 255 [channels × height × width], rounded, what lies beyond is cut; one or three channels
Picture picture_of(std::span<const float> values, const ImageShape& shape);
Picture picture_of(std::span<const std::uint8_t> values, const ImageShape& shape);

/// Pictures of one size in rows of `per_row`, each 0.88 wide on a raster of 1, with room for `caption_lines` lines below; no axes. A single row that is
/// shorter stands in the middle.
Panel picture_panel(std::string title, std::vector<Picture> pictures, int per_row, int caption_lines);

/// Sets one picture to the left of the first panel, with a quarter of the room. @param caption  below it; may be empty
void set_beside(Chart& chart, Picture picture, const std::string& caption);

}   // namespace credence
