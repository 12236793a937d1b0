// SPDX-License-Identifier: GPL-3.0-or-later
#include "random/noise.h"

#include "random/philox_vector.h"

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>

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
