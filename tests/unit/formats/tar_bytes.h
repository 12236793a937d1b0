// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bytes.h"

#include <algorithm>
#include <cstdio>

struct TarFile {
    std::string name, content;
    char type        = '0';
    std::string size = {};   ///< octal, if it should differ from the content
};

/// A ustar archive: a header of 512 bytes before each file, its content filled up to 512, two empty blocks.
inline Bytes tar_of(const std::vector<TarFile>& files)
{
    Bytes archive;
    for (const TarFile& file : files) {
        Bytes header(512, 0);
        const auto put = [&](std::size_t at, std::string_view text) {
            std::copy(text.begin(), text.end(), header.begin() + static_cast<std::ptrdiff_t>(at));
        };
        char text[16];
        std::snprintf(text, sizeof text, "%011zo", file.content.size());
        put(0, file.name);
        put(124, file.size.empty() ? text : file.size);
        put(148, "        ");
        put(156, std::string(1, file.type));
        put(257, std::string_view("ustar\0"
                                  "00",
                                  8));
        unsigned sum = 0;
        for (const std::uint8_t byte : header)
            sum += byte;
        std::snprintf(text, sizeof text, "%06o", sum);
        put(148, std::string_view(text, 7));
        archive = archive + header + bytes_of(file.content) + Bytes((512 - file.content.size() % 512) % 512, 0);
    }
    return archive + Bytes(1024, 0);
}
