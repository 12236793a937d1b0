// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/text.h"

#include <algorithm>
#include <ctime>

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

std::string local_time_text()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &parts);
    return text;
}

}   // namespace credence
