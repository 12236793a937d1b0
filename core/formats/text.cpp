// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/text.h"

namespace credence {

std::string quoted_text(std::string_view piece)
{
    constexpr std::size_t longest = 40;
    std::string text              = "“";
    std::size_t characters        = 0;
    for (const char c : piece) {
        const bool begins = (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;   // not a continuation byte
        if (begins && ++characters > longest) {
            text += "…";
            break;
        }
        text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return text + "”";
}

}   // namespace credence
