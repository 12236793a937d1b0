// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/image_folder.h"

#include <filesystem>

namespace credence {

/// Reads a binary portable pixmap (P6) with one byte per colour: the word P6, width, height and the
/// largest value 1 to 255, with comments (# to the end of the line) between them, one blank, then
/// height × width × 3 bytes. Values are scaled so that the largest is 255; bytes after the pixels
/// are ignored.
/// @return      3 planes [3 × height × width]
/// @throws Error "00012.ppm: found 100 bytes of pixels, expected 2610 for 29 × 30 pixels."
/// Source: Netpbm, "PPM Format Specification"
DecodedPicture read_ppm(const std::filesystem::path& file);

}   // namespace credence
