// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace credence {

/// FNV-1a with 32 or 64 bits: hash ← (hash ⊕ word) · prime. It finds equal values; it does not
/// protect against deliberate changes.
template <std::unsigned_integral Hash>
class Fnv1a {
    static_assert(sizeof(Hash) == 4 || sizeof(Hash) == 8);

public:
    constexpr void add(Hash word) { value_ = (value_ ^ word) * prime; }
    constexpr void add_text(std::string_view text)
    {
        for (const char c : text)
            add(static_cast<unsigned char>(c));
    }
    constexpr Hash value() const { return value_; }

private:
    static constexpr Hash prime = static_cast<Hash>(sizeof(Hash) == 4 ? 16777619u : 1099511628211u);

    Hash value_ = static_cast<Hash>(sizeof(Hash) == 4 ? 2166136261u : 14695981039346656037u);
};

/// All hex digits of a number, with leading zeros.
template <std::unsigned_integral Number>
std::string hex_digits(Number number)
{
    std::string digits(2 * sizeof number, '0');
    for (std::size_t i = digits.size(); i-- > 0; number /= 16)
        digits[i] = "0123456789abcdef"[number % 16];
    return digits;
}

/// Returns a hash of the text as 16 hex digits (FNV-1a, 64 bits). Used in file names to identify
/// the settings that a file belongs to.
inline std::string text_hash(std::string_view text)
{
    Fnv1a<std::uint64_t> hash;
    hash.add_text(text);
    return hex_digits(hash.value());
}

/// A 128-bit hash that detects damaged bytes. It does not protect against deliberate changes.
struct StateHash {
    std::uint64_t a = 0, b = 0;
    bool operator==(const StateHash&) const = default;
};
StateHash hash_of(std::string_view bytes);

}   // namespace credence
