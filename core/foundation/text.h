// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// Formats text as one line for use in a sentence. Line breaks and other control characters become
/// spaces. Text longer than `most` bytes keeps its beginning and end, with … in between.
std::string one_line(std::string_view text, std::size_t most);

/// Lists the first few names: "a", "a and b", "a, b, c and 3 more".
/// @param most  maximum number of names listed
std::string some_names(const std::vector<std::string>& names, std::size_t most = 3);

/// A piece of a file for an error message: in “quotes”, control characters as spaces, cut after 40
/// characters.
std::string quoted_text(std::string_view piece);

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

/// Returns the current local time with its UTC offset: "2026-11-23T01:05:07+0000".
std::string local_time_text();

}   // namespace credence
