// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/png_chunks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <string_view>

namespace credence {

std::optional<std::string> mistake_in_png_chunks(const std::filesystem::path& file)
{
    constexpr std::string_view signature("\x89PNG\r\n\x1a\n", 8);
    // Length and name before the content of a chunk, checksum after it.
    constexpr std::uint64_t around = 12;
    std::error_code failed;
    const std::uint64_t bytes = std::filesystem::file_size(file, failed);
    std::ifstream in(file, std::ios::binary);
    std::array<char, 8> head{};
    if (failed || !in.read(head.data(), head.size()) || std::string_view(head.data(), head.size()) != signature)
        return {};
    for (std::uint64_t at = signature.size(); at + head.size() <= bytes;) {
        in.seekg(static_cast<std::streamoff>(at));
        if (!in.read(head.data(), head.size()))
            return {};
        std::uint32_t length = 0;
        for (int byte = 0; byte < 4; ++byte)
            length = length << 8 | static_cast<unsigned char>(head[byte]);
        std::string name(head.data() + 4, 4);
        const std::uint64_t there = std::max(bytes - at, around) - around;
        if (length > there) {
            std::ranges::replace_if(
                name, [](unsigned char c) { return std::isalpha(c) == 0; }, '?');
            return "a chunk " + name + " claims " + std::to_string(length) + " bytes, of which " + std::to_string(there)
                   + " are there";
        }
        if (name == "IEND")
            return {};
        at += around + length;
    }
    return {};
}

}   // namespace credence
