// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/packed.h"

#include "foundation/error.h"

#include <zlib.h>

#include <algorithm>

namespace credence {
namespace {

constexpr int stored = 0, quickly = 1;   // levels of zlib

Packed packed_at(int level, std::string_view plain)
{
    uLongf length = compressBound(static_cast<uLong>(plain.size()));
    std::string packed(length, '\0');
    if (compress2(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(plain.data()),
                  static_cast<uLong>(plain.size()), level)
        != Z_OK)
        throw Error("The run could not be packed: not enough memory.");
    packed.resize(length);
    return {plain.size(), std::move(packed)};
}

/// True if compression is worthwhile; tested on a sample of a sixteenth of a mebibyte.
bool deflates_well(std::string_view plain)
{
    constexpr std::size_t pieces = 16, piece = 4096;
    if (plain.size() <= pieces * piece)
        return true;
    std::string some;
    for (std::size_t i = 0; i < pieces; ++i)
        some += plain.substr((plain.size() - piece) / (pieces - 1) * i, piece);
    return 8 * packed_at(quickly, some).data.size() < 7 * some.size();
}

}   // namespace

Packed pack(std::string_view plain) { return packed_at(quickly, plain); }

Packed pack_numbers(std::string_view plain) { return packed_at(deflates_well(plain) ? quickly : stored, plain); }

std::string_view bytes_of(std::span<const float> numbers)
{
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

void require_possible_size(std::int64_t bytes, std::size_t packed, std::size_t most)
{
    if (bytes < 0 || static_cast<std::uint64_t>(bytes) > most || static_cast<std::uint64_t>(bytes) / 1032 > packed + 1)
        throw Error("a part has an impossible size");
}

void unpack_into(std::string_view packed, std::span<char> plain)
{
    auto length = static_cast<uLongf>(plain.size());
    // An empty part still has zlib's header; zlib needs a valid output pointer.
    char nothing = 0;
    auto* target = reinterpret_cast<Bytef*>(plain.empty() ? &nothing : plain.data());
    if (uncompress(target, &length, reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()))
            != Z_OK
        || length != plain.size())
        throw Error("a part is damaged");
}

std::string unpack(std::int64_t bytes, std::string_view packed, std::size_t most)
{
    require_possible_size(bytes, packed.size(), most);
    std::string plain(static_cast<std::size_t>(bytes), '\0');
    unpack_into(packed, plain);
    return plain;
}

}   // namespace credence
