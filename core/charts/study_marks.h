// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace credence {

/// Lines of comment between which a Study stands at the head of a CSV or LaTeX file. Whoever writes such a file and whoever reads it back uses these.
inline constexpr const char* study_begin_mark = "credence-study begin";
inline constexpr const char* study_end_mark   = "credence-study end";
/// The line of a file that names a Study longer than this by its study_hash, in place of the Study.
inline constexpr const char* study_hash_mark           = "credence-study hash ";
inline constexpr std::size_t longest_study_in_comments = 100'000;   // bytes

/// Returns the comments of a file about this Study: the Study between its marks, or its hash if it is too long.
/// @param study_json  ends with a line break; empty: no comment
std::string study_comments_of(std::string_view study_json);

}   // namespace credence
