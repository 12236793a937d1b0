// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

namespace credence {

/// Bytes of the widest register that the compiler may use.
#if defined(__AVX512F__)
inline constexpr int widest_register = 64;
#elif defined(__AVX__)
inline constexpr int widest_register = 32;
#else
inline constexpr int widest_register = 16;
#endif

/// One register of numbers for kernels written by hand, `bytes` wide: read from and written to any address.
template <class T, int bytes>
struct SimdVector {
    static constexpr int lanes = bytes / static_cast<int>(sizeof(T));
    typedef T Values __attribute__((vector_size(bytes)));

    static Values load(const T* from)
    {
        Values v;
        std::memcpy(&v, from, sizeof v);
        return v;
    }
    static void store(T* to, Values v) { std::memcpy(to, &v, sizeof v); }
};

/// Numbers in a vector of the compiler's.
template <class Vector>
inline constexpr int lanes_of = static_cast<int>(sizeof(Vector) / sizeof(std::declval<Vector>()[0]));

/// Of the values of a and b in a row every other one, from number `first` on: 0 or 1.
template <int first, class Vector>
Vector every_other(Vector a, Vector b)
{
    return [&]<int... k>(std::integer_sequence<int, k...>)->Vector
    {
        return __builtin_shufflevector(a, b, (first + 2 * k)...);
    }
    (std::make_integer_sequence<int, lanes_of<Vector>>{});
}

/// Of a0 b0 a1 b1 … those from number `first` on.
template <int first, class Vector>
Vector interleaved(Vector a, Vector b)
{
    return [&]<int... k>(std::integer_sequence<int, k...>)->Vector
    {
        return __builtin_shufflevector(a, b, ((first + k) / 2 + (first + k) % 2 * lanes_of<Vector>)...);
    }
    (std::make_integer_sequence<int, lanes_of<Vector>>{});
}

/// Transposes four rows of four numbers: to[k] gets number k of every row. @param next  from a row to the next
template <class T>
void transpose_4x4(const T* from, std::ptrdiff_t next, T* const (&to)[4])
{
    using V      = SimdVector<T, 4 * sizeof(T)>;
    const auto a = V::load(from), b = V::load(from + next), c = V::load(from + 2 * next), d = V::load(from + 3 * next);
    const auto ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const auto ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7), cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    V::store(to[0], __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
    V::store(to[1], __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
    V::store(to[2], __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5));
    V::store(to[3], __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7));
}

}   // namespace credence
