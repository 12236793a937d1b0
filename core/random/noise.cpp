// SPDX-License-Identifier: GPL-3.0-or-later
#include "random/noise.h"

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <numeric>
#include <utility>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

/// Philox4x32-10 and Box–Muller on vectors as wide as the instruction set allows. The result of a
/// lane depends on its counter only, so the
/// numbers are the same for every width; only rounding can differ on machines with fused
/// multiply-add.
namespace credence::philox {

#if defined(__AVX512F__) && defined(__AVX512DQ__)
inline constexpr int width = 64;   // bytes
#elif defined(__AVX2__)
inline constexpr int width = 32;
#else
inline constexpr int width = 16;
#endif
inline constexpr std::size_t lanes = width / 8;   ///< blocks computed at once

using U64 = std::uint64_t __attribute__((vector_size(width)));
using U32 = std::uint32_t __attribute__((vector_size(width)));
using I32 = std::int32_t __attribute__((vector_size(width)));
using F32 = float __attribute__((vector_size(width)));

/// Products of the low halves of each 64-bit lane.
inline U64 multiply_low_halves(U64 a, U64 b)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
    return (U64)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (U64)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (U64)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
    return (a & 0xffffffffu) * (b & 0xffffffffu);
#endif
}

inline F32 square_root(F32 x)
{
#if defined(__AVX512F__) && defined(__AVX512DQ__)
    return (F32)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX2__)
    return (F32)_mm256_sqrt_ps((__m256)x);
#elif defined(__SSE2__)
    return (F32)_mm_sqrt_ps((__m128)x);
#else
    for (std::size_t l = 0; l < sizeof(F32) / sizeof(float); ++l)
        x[l] = std::sqrt(x[l]);
    return x;
#endif
}

/// The ten round keys of a seed.
struct Key {
    explicit Key(std::uint64_t seed)
    {
        auto low = static_cast<std::uint32_t>(seed), high = static_cast<std::uint32_t>(seed >> 32);
        for (int round = 0; round < 10; ++round, low += 0x9E3779B9u, high += 0xBB67AE85u) {
            k0[round] = low;
            k1[round] = high;
        }
    }
    std::uint64_t k0[10], k1[10];
};

/// One word of each block in the low half of each lane; the high halves are undefined.
struct Blocks {
    U64 word0, word1, word2, word3;
};

template <std::size_t... lane>
U64 count_up(std::index_sequence<lane...>)
{
    return U64{lane...};
}

template <std::size_t... place>
U64 high_halves(U64 a, std::index_sequence<place...>)
{
    return (U64)__builtin_shufflevector((U32)a, (U32)a, (place | 1)...);
}
/// The high half of each lane in its low half; the high half stays. A shuffle, because shifts are
/// the scarcer units on Intel.
inline U64 high_halves(U64 a) { return high_halves(a, std::make_index_sequence<2 * lanes>{}); }

/// The blocks first .. first + 2 lanes - 1 of one (index, stream). Two vectors are interleaved:
/// each round waits for the previous one, so a single vector
/// would leave the multipliers idle.
inline std::array<Blocks, 2> blocks(const Key& key, std::uint64_t first, std::uint32_t tag, std::uint32_t index,
                                    std::uint32_t stream)
{
    const U64 m0 = U64{} + 0xD2511F53u, m1 = U64{} + 0xCD9E8D57u;
    std::array<Blocks, 2> b;
    for (std::size_t v = 0; v < 2; ++v) {
        const U64 block = first + v * lanes + count_up(std::make_index_sequence<lanes>{});
        b[v]            = {block, (block >> 32) + tag, U64{} + index, U64{} + stream};
    }
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round)
#pragma GCC unroll 2
        for (Blocks& c : b) {
            const U64 p0 = multiply_low_halves(c.word0, m0);
            const U64 p1 = multiply_low_halves(c.word2, m1);
            c = {high_halves(p1) ^ c.word1 ^ key.k0[round], p1, high_halves(p0) ^ c.word3 ^ key.k1[round], p0};
        }
    return b;
}

/// Two vectors of words as one: even positions from `even`, odd positions from `odd`.
inline U64 join(U64 even, U64 odd) { return (even & 0xffffffffu) | (odd << 32); }

template <std::size_t n, std::size_t offset, class V, std::size_t... place>
V interleaved(V a, V b, std::index_sequence<place...>)
{
    return __builtin_shufflevector(a, b, (offset + place / 2 + (place % 2) * n)...);
}

/// a0 b0 a1 b1 ... into memory.
template <class V, class T>
void store_interleaved(V a, V b, T* to)
{
    constexpr std::size_t n = sizeof(V) / sizeof(a[0]);
    const V low             = interleaved<n, 0>(a, b, std::make_index_sequence<n>{});
    const V high            = interleaved<n, n / 2>(a, b, std::make_index_sequence<n>{});
    std::memcpy(to, &low, width);
    std::memcpy(to + width / sizeof(T), &high, width);
}

/// The words in order, block by block.
inline void store(const Blocks& w, std::uint32_t* to)
{
    store_interleaved(join(w.word0, w.word1), join(w.word2, w.word3), to);
}

/// (2k + 1) 2^-24 with the upper 23 bits of each word as k.
inline void store_uniforms(const Blocks& w, float* to)
{
    const auto unit = [](U64 words) {
        return (U64)(__builtin_convertvector((I32)((U32)words >> 9), F32) * 0x1p-23f + 0x1p-24f);
    };
    store_interleaved(unit(join(w.word0, w.word1)), unit(join(w.word2, w.word3)), to);
}

/// sqrt(-2 ln u), u = (k + 1/2) 2^-31 with the upper 31 bits of each word as k.
inline F32 radius(U32 word)
{
    const F32 u        = __builtin_convertvector((I32)(word >> 1), F32) * 0x1p-31f + 0x1p-32f;
    const I32 bits     = (I32)u;
    const I32 exponent = (bits - 0x3f3504f3) >> 23;   // u = 2^exponent * m, m in [sqrt(1/2), sqrt(2))
    const F32 f        = (F32)(bits - (exponent << 23)) - 1.0f;
    // -2 ln(1 + f)/f by interpolation at the Chebyshev points of the interval, relative error 1.9e-7
    const F32 p =
        -1.9999999362f
        + f
              * (1.0000075012f
                 + f
                       * (-0.6666921204f
                          + f
                                * (0.4993793392f
                                   + f
                                         * (-0.3982669576f
                                            + f * (0.3455641214f + f * (-0.3225249582f + f * 0.19790701474f))))));
    constexpr float minus_2_ln_2 = -1.3862943611f;
    return square_root(f * p + __builtin_convertvector(exponent, F32) * minus_2_ln_2);
}

/// Standard normals, two from each pair of words (radius, angle).
inline void store_normals(const Blocks& w, float* to)
{
    const U32 angle = (U32)join(w.word1, w.word3);
    // 30 bits of the angle cover the quarter (-π/4, π/4); one bit swaps sine and cosine, one adds π.
    const F32 t = __builtin_convertvector((I32)(angle << 2), F32) * 0x1p-31f;
    const F32 y = t * t;
    // sin(πt/4)/t and cos(πt/4), interpolated as above, relative errors 3.4e-9 and 3.7e-8
    const F32 s        = t * (7.853981610e-1f + y * (-8.074543471e-2f + y * (2.490006801e-3f + y * -3.595429072e-5f)));
    const F32 c        = 9.999999723e-1f + y * (-3.084242519e-1f + y * (1.584991071e-2f + y * -3.188774749e-4f));
    const I32 exchange = (I32)(angle << 1) < 0;
    const F32 r        = (F32)((U32)radius((U32)join(w.word0, w.word2)) ^ (angle & 0x80000000u));
    store_interleaved(r * (exchange ? s : c), r * (exchange ? c : s), to);
}

}   // namespace credence::philox

namespace credence {

namespace {

/// The sequences of a key; the values are part of every saved result.
enum class Kind : std::uint32_t {
    bits            = 0,
    float_normals   = 1,
    double_normals  = 2,
    float_uniforms  = 3,
    double_uniforms = 4,
    permutation     = 5
};

std::uint32_t tag(Kind kind) { return static_cast<std::uint32_t>(kind) << 24; }

/// out[j] = number first + j, made in groups of `group` numbers by `make(index of the group,
/// destination)`. Groups that are only partly in the
/// range go through a buffer.
template <std::size_t group, class T, class Make>
void fill_by_groups(std::uint64_t first, std::span<T> out, const Make& make)
{
    std::uint64_t index = first / group;
    std::size_t done    = 0;
    const auto part     = [&](std::size_t skip) {
        alignas(64) std::array<T, group> buffer;
        make(index++, buffer.data());
        const std::size_t size = std::min(group - skip, out.size() - done);
        std::memcpy(out.data() + done, buffer.data() + skip, size * sizeof(T));
        done += size;
    };
    if (const std::size_t skip = first % group; skip != 0 && !out.empty())
        part(skip);
    for (; out.size() - done >= group; done += group)
        make(index++, out.data() + done);
    if (done < out.size())
        part(0);
}

/// Fills from two vectors of blocks at a time.
template <Kind kind, class T, class Transform>
void fill_from_blocks(NoiseKey key, std::uint64_t first, std::span<T> out, const Transform& transform)
{
    const philox::Key schedule(key.seed);
    constexpr std::size_t vector = 4 * philox::lanes;
    fill_by_groups<2 * vector>(first, out, [&](std::uint64_t group, T* to) {
        const auto words = philox::blocks(schedule, group * 2 * philox::lanes, tag(kind), key.index,
                                          static_cast<std::uint32_t>(key.stream));
        transform(words[0], to);
        transform(words[1], to + vector);
    });
}

/// The scalar version, where speed does not matter: one block as two words of 64 bits.
std::array<std::uint64_t, 2> wide_words(NoiseKey key, std::uint64_t block, Kind kind)
{
    using Philox = r123::Philox4x32_R<10>;
    const Philox::ctr_type counter{{static_cast<std::uint32_t>(block),
                                    static_cast<std::uint32_t>(block >> 32) + tag(kind), key.index,
                                    static_cast<std::uint32_t>(key.stream)}};
    const Philox::key_type seed{{static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)}};
    const auto w = Philox{}(counter, seed);
    return {w[0] | std::uint64_t{w[1]} << 32, w[2] | std::uint64_t{w[3]} << 32};
}

double open_unit(std::uint64_t word) { return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52; }

}   // namespace

void random_bits(NoiseKey key, std::uint64_t first, std::span<std::uint32_t> out)
{
    fill_from_blocks<Kind::bits>(key, first, out,
                                 [](const philox::Blocks& words, std::uint32_t* to) { philox::store(words, to); });
}

void standard_normals(NoiseKey key, std::uint64_t first, std::span<float> out)
{
    fill_from_blocks<Kind::float_normals>(
        key, first, out, [](const philox::Blocks& words, float* to) { philox::store_normals(words, to); });
}

void standard_normals(NoiseKey key, std::uint64_t first, std::span<double> out)
{
    fill_by_groups<2>(first, out, [&](std::uint64_t block, double* to) {
        const auto words    = wide_words(key, block, Kind::double_normals);
        const double radius = std::sqrt(-2 * std::log(open_unit(words[0])));
        const double angle  = 2 * std::numbers::pi * open_unit(words[1]);
        to[0]               = radius * std::cos(angle);
        to[1]               = radius * std::sin(angle);
    });
}

void uniforms(NoiseKey key, std::uint64_t first, std::span<float> out)
{
    fill_from_blocks<Kind::float_uniforms>(
        key, first, out, [](const philox::Blocks& words, float* to) { philox::store_uniforms(words, to); });
}

void uniforms(NoiseKey key, std::uint64_t first, std::span<double> out)
{
    fill_by_groups<2>(first, out, [&](std::uint64_t block, double* to) {
        const auto words = wide_words(key, block, Kind::double_uniforms);
        to[0]            = open_unit(words[0]);
        to[1]            = open_unit(words[1]);
    });
}

namespace {

/// The bits of a key's permutation sequence, one word after the other.
class Words {
public:
    explicit Words(NoiseKey key) : key_(key) {}

    /// Uniform on 0..range-1: the high half of word * range; the few words that would bias some
    /// values are skipped (Lemire 2019).
    std::uint32_t below(std::uint32_t range)
    {
        const std::uint32_t unfair = -range % range;   // 2^32 mod range
        for (;;) {
            const std::uint64_t product = std::uint64_t{next()} * range;
            if (static_cast<std::uint32_t>(product) >= unfair)
                return static_cast<std::uint32_t>(product >> 32);
        }
    }

private:
    std::uint32_t next()
    {
        if (used_ == buffer_.size()) {
            fill_from_blocks<Kind::permutation>(key_, first_, std::span<std::uint32_t>(buffer_),
                                                [](const philox::Blocks& w, std::uint32_t* to) {
                philox::store(w, to);
            });
            first_ += buffer_.size();
            used_ = 0;
        }
        return buffer_[used_++];
    }

    NoiseKey key_;
    std::array<std::uint32_t, 256> buffer_;
    std::size_t used_    = buffer_.size();
    std::uint64_t first_ = 0;
};

}   // namespace

void permutation(NoiseKey key, std::span<std::uint32_t> out)
{
    std::iota(out.begin(), out.end(), 0u);
    Words words(key);
    for (std::size_t n = out.size(); n > 1; --n)
        std::swap(out[n - 1], out[words.below(static_cast<std::uint32_t>(n))]);
}

std::vector<std::uint32_t> permutation(NoiseKey key, std::size_t n)
{
    std::vector<std::uint32_t> out(n);
    permutation(key, out);
    return out;
}

}   // namespace credence
