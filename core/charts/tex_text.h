// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace credence {

/// Text that TeX typesets as it reads: specials escaped; Greek letters, signs, superscripts and p̄
/// as mathematics. Other letters stay UTF-8.
std::string tex_text(const std::string& text);

}   // namespace credence
