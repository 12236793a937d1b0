// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/files.h"
#include "gallery/gallery.h"

#include <filesystem>
#include <string>

inline std::filesystem::path source_file(const std::string& file)
{
    return std::filesystem::path(CREDENCE_SOURCE_DIR) / file;
}

/// A few entries, one or two of each kind.
inline std::string small_gallery_text()
{
    return credence::read_file(source_file("tests/unit/gallery/small_gallery.json"), "a gallery");
}
inline credence::Gallery small_gallery() { return credence::gallery_from_text(small_gallery_text(), "small.json"); }
