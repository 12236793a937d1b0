// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/hashes.h"

#include <array>
#include <bit>
#include <cstring>

namespace credence {
namespace {

constexpr std::uint64_t odd_1 = 0x9E3779B185EBCA87u, odd_2 = 0xC2B2AE3D27D4EB4Fu;

std::uint64_t stirred(std::uint64_t state, std::uint64_t word)
{
    return std::rotl((state ^ word) * odd_1, 29) * odd_2 + word;
}

}   // namespace

StateHash hash_of(std::string_view bytes)
{
    // independent, for instruction-level parallelism
    std::array<std::uint64_t, 4> lanes{odd_1, odd_2, ~odd_1, ~odd_2};
    const auto take = [&](const char* from) {
        for (std::size_t i = 0; i < 4; ++i) {
            std::uint64_t word = 0;
            std::memcpy(&word, from + 8 * i, 8);
            lanes[i] = stirred(lanes[i], word);
        }
    };
    const std::size_t whole = bytes.size() / 32 * 32;
    for (std::size_t at = 0; at < whole; at += 32)
        take(bytes.data() + at);
    char rest[32] = {};
    if (whole < bytes.size())
        std::memcpy(rest, bytes.data() + whole, bytes.size() - whole);
    take(rest);
    StateHash hash{bytes.size(), ~std::uint64_t{bytes.size()}};
    for (const std::uint64_t lane : lanes) {
        hash.a = stirred(hash.a, lane ^ (lane >> 32));
        hash.b = stirred(hash.b, std::rotl(lane, 17) ^ hash.a);
    }
    hash.a ^= hash.a >> 31;
    hash.b ^= hash.b >> 33;
    return hash;
}

}   // namespace credence
