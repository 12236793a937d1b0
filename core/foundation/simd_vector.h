// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
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

/// One register of numbers for hand-written kernels, `bytes` wide. Loads and stores accept any
/// address.
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

/// Number of elements in a compiler vector.
template <class Vector>
inline constexpr int lanes_of = static_cast<int>(sizeof(Vector) / sizeof(std::declval<Vector>()[0]));

/// Sixteen 4-byte numbers in as many registers as the machine needs: one with AVX-512, two with
/// AVX, four with SSE. A single 64-byte compiler vector would do the same, but g++ 12 moves it
/// through memory where registers are narrower. Every operation treats each lane separately, so all
/// instruction sets with fused multiply-add give the same bits.
template <class T>
class Sixteen {
public:
    static constexpr int lanes = 16;
    using Register             = typename SimdVector<T, widest_register>::Values;

    Sixteen() = default;
    explicit Sixteen(T value) : Sixteen(each([value](int) { return Register{} + value; })) {}

    static Sixteen load(const T* from)
    {
        return each([from](int r) { return SimdVector<T, widest_register>::load(from + r * in_register); });
    }
    void store(T* to) const
    {
        [&]<int... r>(std::integer_sequence<int, r...>)
        {
            (SimdVector<T, widest_register>::store(to + r * in_register, part_[r]), ...);
        }
        (std::make_integer_sequence<int, registers>{});
    }
    T operator[](int lane) const { return part_[lane / in_register][lane % in_register]; }

    /// Applies f(register of this, same register of each of `others`) register by register.
    template <class F, class... Others>
    auto with(F f, const Others&... others) const
    {
        using To = std::remove_cvref_t<decltype(f(part_[0], others.part(0)...)[0])>;
        return Sixteen<To>::each([&](int r) { return f(part_[r], others.part(r)...); });
    }
    Register part(int r) const { return part_[r]; }

    friend Sixteen operator+(const Sixteen& a, const Sixteen& b)
    {
        return each([&](int r) { return a.part_[r] + b.part_[r]; });
    }
    friend Sixteen operator-(const Sixteen& a, const Sixteen& b)
    {
        return each([&](int r) { return a.part_[r] - b.part_[r]; });
    }
    friend Sixteen operator*(const Sixteen& a, const Sixteen& b)
    {
        return each([&](int r) { return a.part_[r] * b.part_[r]; });
    }
    friend Sixteen operator/(const Sixteen& a, const Sixteen& b)
    {
        return each([&](int r) { return a.part_[r] / b.part_[r]; });
    }
    friend Sixteen operator+(const Sixteen& a, T b) { return a + Sixteen(b); }
    friend Sixteen operator-(const Sixteen& a, T b) { return a - Sixteen(b); }
    friend Sixteen operator*(T a, const Sixteen& b) { return Sixteen(a) * b; }
    friend Sixteen operator*(const Sixteen& a, T b) { return a * Sixteen(b); }
    friend Sixteen operator/(T a, const Sixteen& b) { return Sixteen(a) / b; }
    Sixteen operator-() const
    {
        return each([&](int r) { return -part_[r]; });
    }
    Sixteen& operator+=(const Sixteen& b) { return *this = *this + b; }
    Sixteen& operator-=(const Sixteen& b) { return *this = *this - b; }
    Sixteen& operator*=(const Sixteen& b) { return *this = *this * b; }

    /// The sum of all lanes, broadcast to all lanes. Adds lane l + 8 to lane l, then + 4, + 2, + 1.
    Sixteen sum() const
    {
        Register half[registers];
        std::memcpy(half, part_, sizeof half);
        for (int n = registers / 2; n > 0; n /= 2)
            for (int r = 0; r < n; ++r)
                half[r] += half[r + n];
        const Register total = summed<in_register / 2>(half[0]);
        return each([&](int) { return total; });
    }

private:
    template <class>
    friend class Sixteen;
    static_assert(sizeof(T) == 4);
    static constexpr int in_register = SimdVector<T, widest_register>::lanes;
    static constexpr int registers   = lanes / in_register;

    template <class F>
    static Sixteen each(F f)
    {
        return [&]<int... r>(std::integer_sequence<int, r...>)
        {
            Sixteen made;
            ((made.part_[r] = f(r)), ...);
            return made;
        }
        (std::make_integer_sequence<int, registers>{});
    }
    template <int away>
    static Register summed(Register v)
    {
        if constexpr (away == 0)
            return v;
        else
            return [&]<int... l>(std::integer_sequence<int, l...>)
            {
                return summed<away / 2>(v + __builtin_shufflevector(v, v, (l ^ away)...));
            }
        (std::make_integer_sequence<int, in_register>{});
    }

    Register part_[registers] = {};
};

/// Every other value of the concatenation of a and b, starting from index `first`, 0 or 1.
template <int first, class Vector>
Vector every_other(Vector a, Vector b)
{
    return [&]<int... k>(std::integer_sequence<int, k...>)->Vector
    {
        return __builtin_shufflevector(a, b, (first + 2 * k)...);
    }
    (std::make_integer_sequence<int, lanes_of<Vector>>{});
}

/// The values of a0 b0 a1 b1 … from index `first` on.
template <int first, class Vector>
Vector interleaved(Vector a, Vector b)
{
    return [&]<int... k>(std::integer_sequence<int, k...>)->Vector
    {
        return __builtin_shufflevector(a, b, ((first + k) / 2 + (first + k) % 2 * lanes_of<Vector>)...);
    }
    (std::make_integer_sequence<int, lanes_of<Vector>>{});
}

/// Transposes four rows of four numbers: to[k] receives number k of every row.
/// @param next  distance between consecutive rows
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
