// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace credence {

/// Bytes as stored in an archive: in zlib's format, whose checksum detects damaged bytes.
struct Packed {
    std::size_t bytes = 0;   ///< before packing
    std::string data;
};

Packed pack(std::string_view plain);   ///< deflated
/// Packs numbers. Stores them uncompressed if compression would save less than an eighth, as for
/// sampled or trained weights; writing is then thirty times as fast, reading five times.
Packed pack_numbers(std::string_view plain);
std::string_view bytes_of(std::span<const float> numbers);

/// Refuses an impossible size before allocating memory for it: zlib expands one byte to at most
/// 1032.
/// @throws Error  "a part has an impossible size"
void require_possible_size(std::int64_t bytes, std::size_t packed, std::size_t most);
/// Unpacks into `plain`. @throws Error  "a part is damaged", unless it unpacks to exactly that many
/// bytes
void unpack_into(std::string_view packed, std::span<char> plain);
/// Unpacks data with the given unpacked size, at most `most` bytes. @throws Error as the two above
std::string unpack(std::int64_t bytes, std::string_view packed, std::size_t most);

}   // namespace credence
