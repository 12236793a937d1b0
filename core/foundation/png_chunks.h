// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace credence {

/// What is wrong with the lengths of a PNG's chunks: libpng takes as much memory as a chunk claims, 1.6 GB for a file of 429 bytes, and asks the file afterwards.
/// @return  "a chunk zTXt claims 1616904192 bytes, of which 384 are there"; empty: nothing, or the file is no PNG
/// Source: W3C, Portable Network Graphics (PNG) Specification, section 5
std::optional<std::string> mistake_in_png_chunks(const std::filesystem::path& file);

}   // namespace credence
