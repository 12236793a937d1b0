// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace credence {

/// Lines of comment between which a Study stands at the head of a CSV or LaTeX file. Whoever writes such a file and whoever reads it back uses these.
inline constexpr const char* study_begin_mark = "credence-study begin";
inline constexpr const char* study_end_mark   = "credence-study end";

}   // namespace credence
