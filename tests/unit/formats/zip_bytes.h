// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bytes.h"

struct ZipMember {
    std::string name;
    Bytes content;
    bool deflate = false;
};

template <class Number>
Bytes little_endian(std::initializer_list<Number> numbers)
{
    Bytes all;
    for (const Number number : numbers) {
        const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(Number)>>(number);
        all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
}

/// A zip archive: local headers with their data, the directory, its end.
inline Bytes zip_of(const std::vector<ZipMember>& members)
{
    using Word = std::uint16_t;
    using Long = std::uint32_t;
    Bytes archive, directory;
    for (const ZipMember& m : members) {
        const Bytes data = m.deflate ? deflated(m.content, -15) : m.content;
        const Bytes rest = little_endian<Word>({0, static_cast<Word>(m.deflate ? 8 : 0), 0, 0})
                           + little_endian<Long>(
                               {static_cast<Long>(crc32(0, m.content.data(), static_cast<uInt>(m.content.size()))),
                                static_cast<Long>(data.size()), static_cast<Long>(m.content.size())})
                           + little_endian<Word>({static_cast<Word>(m.name.size()), 0});
        directory = directory + bytes_of("PK\x01\x02") + little_endian<Word>({20, 20}) + rest
                    + little_endian<Word>({0, 0, 0}) + little_endian<Long>({0, static_cast<Long>(archive.size())})
                    + bytes_of(m.name);
        archive = archive + bytes_of("PK\x03\x04") + little_endian<Word>({20}) + rest + bytes_of(m.name) + data;
    }
    const auto n = static_cast<Word>(members.size());
    return archive + directory + bytes_of("PK\x05\x06") + little_endian<Word>({0, 0, n, n})
           + little_endian<Long>({static_cast<Long>(directory.size()), static_cast<Long>(archive.size())})
           + little_endian<Word>({0});
}
