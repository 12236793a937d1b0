// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace credence {

/// Returns a hash of the text as 16 hex digits (FNV-1a, 64 bits). Used in file names to identify
/// the settings that a file belongs to.
inline std::string text_hash(std::string_view text)
{
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4)
        digits += "0123456789abcdef"[(hash >> shift) & 15];
    return digits;
}

}   // namespace credence
