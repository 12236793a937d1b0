// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/one_line.h"

#include <algorithm>

namespace credence {
namespace {

/// True for a UTF-8 continuation byte.
bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}   // namespace

std::string one_line(std::string_view text, std::size_t most)
{
    std::string line(text);
    if (line.size() > most) {
        std::size_t head = most * 2 / 3, tail = line.size() - most / 3;
        while (head > 0 && continues(line[head]))
            --head;
        while (tail < line.size() && continues(line[tail]))
            ++tail;
        line = line.substr(0, head) + " … " + line.substr(tail);
    }
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            c = ' ';
    return line;
}

std::string some_names(const std::vector<std::string>& names, std::size_t most)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() && names.size() <= most ? " and " : ", ") + names[i];
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

}   // namespace credence
