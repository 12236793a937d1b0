// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace credence {

/// Bytes as they stand in an archive: in zlib's format, whose checksum finds a damaged byte.
struct Packed {
    std::size_t bytes = 0;   ///< before packing
    std::string data;
};

Packed pack(std::string_view plain);   ///< deflated
/// Packs numbers: as they are where deflating would save less than an eighth, as of weights that were drawn or trained. Writing is then thirty times as quick, reading five times.
Packed pack_numbers(std::string_view plain);
std::string_view bytes_of(std::span<const float> numbers);

/// Refuses a claimed size before memory is taken for it: zlib makes at most 1032 bytes of one.
/// @throws Error  "a part has an impossible size"
void require_possible_size(std::int64_t bytes, std::size_t packed, std::size_t most);
/// Unpacks into `plain`. @throws Error  "a part is damaged", unless exactly that many bytes come out
void unpack_into(std::string_view packed, std::span<char> plain);
/// Unpacks what claims to have so many bytes, of which there may be `most`. @throws Error as the two above
std::string unpack(std::int64_t bytes, std::string_view packed, std::size_t most);

}   // namespace credence
