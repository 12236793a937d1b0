// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace credence {

/// Checks the chunk lengths of a PNG. libpng allocates as much memory as a chunk claims before it
/// checks the file: 1.6 GB for a file of 429 bytes.
/// @return  the error, e.g. "a chunk zTXt claims 1616904192 bytes, of which 384 are there"; empty
///          if the lengths are valid or the file is not a PNG
/// Source: W3C, Portable Network Graphics (PNG) Specification, section 5
std::optional<std::string> mistake_in_png_chunks(const std::filesystem::path& file);

}   // namespace credence
