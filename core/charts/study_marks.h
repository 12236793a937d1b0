// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace credence {

/// Comment lines that enclose a Study at the head of a CSV or LaTeX file, for its writers and
/// readers.
inline constexpr const char* study_begin_mark = "credence-study begin";
inline constexpr const char* study_end_mark   = "credence-study end";
/// The line that identifies a longer Study by its study_hash instead of its text.
inline constexpr const char* study_hash_mark           = "credence-study hash ";
inline constexpr std::size_t longest_study_in_comments = 100'000;   // bytes

/// Returns the comments of a file about this Study: the Study between its marks, or its hash if it
/// is too long.
/// @param study_json  ends with a line break; empty: no comment
std::string study_comments_of(std::string_view study_json);

}   // namespace credence
