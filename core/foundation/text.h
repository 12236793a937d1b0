// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

/// Formats text as one line for use in a sentence. Line breaks and other control characters become
/// spaces. Text longer than `most` bytes keeps its beginning and end, with … in between.
std::string one_line(std::string_view text, std::size_t most);

/// Joins a list into one text: "a, b, c".
/// @param text_of  element → its text: a function or a member
template <class List, class TextOf = std::identity>
std::string joined(const List& list, TextOf text_of = {}, std::string_view between = ", ")
{
    std::string text;
    for (const auto& one : list) {
        if (!text.empty())
            text += between;
        text += std::invoke(text_of, one);
    }
    return text;
}

/// Lists the first few names: "a", "a and b", "a, b, c and 3 more".
/// @param most  maximum number of names listed
std::string some_names(const std::vector<std::string>& names, std::size_t most = 3);

/// A piece of a file for an error message: in “quotes”, control characters as spaces, cut after 40
/// characters.
std::string quoted_text(std::string_view piece);

/// Returns the current local time with its UTC offset: "2026-11-23T01:05:07+0000".
std::string local_time_text();

}   // namespace credence
