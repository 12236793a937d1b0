// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace credence {

/// A path that cannot be inspected is neither file nor folder.
inline bool is_file(const std::filesystem::path& path)
{
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}
inline bool is_folder(const std::filesystem::path& path)
{
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

}   // namespace credence
