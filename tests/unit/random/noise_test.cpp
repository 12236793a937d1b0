// SPDX-License-Identifier: GPL-3.0-or-later
#include "random/noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <numeric>
#include <set>
#include <vector>

using namespace credence;

namespace {

using Philox = r123::Philox4x32_R<10>;

/// Block `block` of a key's sequence by Random123 itself, as noise.h defines the counter.
std::array<std::uint32_t, 4> block_of(NoiseKey key, std::uint64_t block, std::uint32_t kind)
{
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const auto w   = Philox{}(Philox::ctr_type{{low(block), low(block >> 32) + (kind << 24), key.index,
                                                static_cast<std::uint32_t>(key.stream)}},
                            Philox::key_type{{low(key.seed), low(key.seed >> 32)}});
    return {w[0], w[1], w[2], w[3]};
}

std::vector<float> normals(NoiseKey key, std::size_t n, std::uint64_t first = 0)
{
    std::vector<float> z(n);
    standard_normals(key, first, std::span(z));
    return z;
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// sqrt(n) * sup |F_n - F| for uniform values; above 1.95 with probability 0.001.
double kolmogorov_smirnov(std::vector<double> u)
{
    std::sort(u.begin(), u.end());
    const double n = static_cast<double>(u.size());
    double d       = 0;
    for (std::size_t k = 0; k < u.size(); ++k)
        d = std::max({d, (static_cast<double>(k) + 1) / n - u[k], u[k] - static_cast<double>(k) / n});
    return d * std::sqrt(n);
}

template <class T>
double correlation(const std::vector<T>& a, const std::vector<T>& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / static_cast<double>(a.size());
}

const NoiseKey key{.seed = 0x123456789abcdef0, .stream = Stream::weight_noise, .index = 42};

/// Every sequence, as a function that fills it: the properties hold for each.
template <class T, class Fill>
void expect_pieces_to_make_the_whole(Fill fill)
{
    std::vector<T> whole(1000);
    fill(0, std::span<T>(whole));
    for (const std::size_t first : {0u, 1u, 2u, 3u, 31u, 32u, 63u, 64u, 65u, 500u})
        for (const std::size_t size : {0u, 1u, 2u, 5u, 31u, 32u, 33u, 64u, 200u, 499u}) {
            std::vector<T> piece(size + 1, T(77));
            fill(first, std::span<T>(piece).first(size));
            ASSERT_TRUE(std::equal(piece.begin(), piece.end() - 1, whole.begin() + static_cast<std::ptrdiff_t>(first)))
                << first << " + " << size;
            ASSERT_EQ(piece.back(), T(77)) << "nothing is written beyond the range";
        }
}

}   // namespace

TEST(RandomBits, AreThoseOfRandom123)
{
    std::uint64_t state = 1;
    const auto any      = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
    for (int trial = 0; trial < 200; ++trial) {
        const NoiseKey k{.seed   = any(),
                         .stream = static_cast<Stream>(any() >> 32),
                         .index  = static_cast<std::uint32_t>(any() >> 32)};
        const std::uint64_t block = any() >> (8 + trial % 40);   // up to 56 bits
        std::array<std::uint32_t, 8> found;
        random_bits(k, 4 * block, found);
        for (std::size_t j = 0; j < 2; ++j)
            for (std::size_t w = 0; w < 4; ++w)
                ASSERT_EQ(found[4 * j + w], block_of(k, block + j, 0)[w]) << "block " << block + j << " word " << w;
    }
}

TEST(RandomBits, CarryBeyond32BitsOfTheBlock)
{
    const std::uint64_t block = 0xfffffffeu;
    std::array<std::uint32_t, 64> found;
    random_bits(key, 4 * block, found);
    for (std::size_t w = 0; w < found.size(); ++w)
        ASSERT_EQ(found[w], block_of(key, block + w / 4, 0)[w % 4]);
}

TEST(RandomBits, MatchTheKnownAnswersOfPhilox)
{
    // Random123 1.14, kat_vectors, line "philox4x32 10 00000000 00000000 00000000 00000000 00000000 00000000".
    std::array<std::uint32_t, 4> found;
    random_bits({.seed = 0, .stream = static_cast<Stream>(0), .index = 0}, 0, found);
    EXPECT_THAT(found, testing::ElementsAre(0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u));
}

TEST(Noise, InPiecesEqualsTheWhole)
{
    expect_pieces_to_make_the_whole<float>(
        [](std::uint64_t first, std::span<float> out) { standard_normals(key, first, out); });
    expect_pieces_to_make_the_whole<double>(
        [](std::uint64_t first, std::span<double> out) { standard_normals(key, first, out); });
    expect_pieces_to_make_the_whole<float>(
        [](std::uint64_t first, std::span<float> out) { uniforms(key, first, out); });
    expect_pieces_to_make_the_whole<double>(
        [](std::uint64_t first, std::span<double> out) { uniforms(key, first, out); });
    expect_pieces_to_make_the_whole<std::uint32_t>(
        [](std::uint64_t first, std::span<std::uint32_t> out) { random_bits(key, first, out); });
}

TEST(Noise,
     ValuesNeverChange)   // saved studies depend on them; by python3 tests/unit/random/golden_values.py
{
    std::array<std::uint32_t, 8> bits;
    random_bits(key, 0, bits);
    EXPECT_THAT(bits, testing::ElementsAre(0x7cc18f32u, 0x7f54b692u, 0x04b0b2d6u, 0x8ce1a8dau, 0x30fd02ecu, 0x3373db3bu,
                                           0xc5c9ad2du, 0x1fcd9780u));

    std::array<float, 8> normal;
    standard_normals(key, 0, normal);
    EXPECT_THAT(normal,
                testing::Pointwise(testing::FloatNear(1e-6f), {0.49710405f, -0.94527861f, 0.95785501f, 2.08006163f,
                                                               0.36803324f, 0.05118903f, 0.70332825f, 0.55310458f}));

    std::array<double, 4> wide_normal;
    standard_normals(key, 0, wide_normal);
    EXPECT_THAT(wide_normal, testing::Pointwise(testing::DoubleNear(1e-14), {1.707763329854911, 2.069955865105955,
                                                                             -0.417264371489966, -1.117753323473573}));

    std::array<float, 4> uniform;
    uniforms(key, 0, uniform);
    EXPECT_THAT(uniform, testing::Pointwise(testing::FloatEq(), {0.6877174973487854f, 0.45498329401016235f,
                                                                 0.6700573563575745f, 0.8974396586418152f}));

    std::array<double, 4> wide_uniform;
    uniforms(key, 0, wide_uniform);
    EXPECT_THAT(wide_uniform, testing::Pointwise(testing::DoubleEq(), {0.003994846004205743, 0.41417650543367646,
                                                                       0.6965048035646023, 0.33019211710351304}));

    EXPECT_THAT(permutation(key, 12), testing::ElementsAre(4, 5, 7, 11, 3, 2, 6, 8, 1, 0, 10, 9));
}

TEST(StandardNormals, AreBoxMullerOfTheBits)
{
    const auto z = normals(key, 40000);
    for (std::size_t pair = 0; pair < z.size() / 2; ++pair) {
        const auto w           = block_of(key, pair / 2, 1);
        const auto radius_word = w[pair % 2 * 2], angle_word = w[pair % 2 * 2 + 1];
        const double radius = std::sqrt(-2 * std::log((static_cast<double>(radius_word >> 1) + 0.5) * 0x1p-31));
        // 30 bits are an angle in a quarter of the circle; one bit exchanges sine and cosine, one turns by π.
        const double phi = std::numbers::pi / 4 * static_cast<double>(static_cast<std::int32_t>(angle_word << 2))
                           * 0x1p-31;
        const double turn  = angle_word >> 31 ? -1 : 1;
        double expected[2] = {turn * radius * std::cos(phi), turn * radius * std::sin(phi)};
        if (angle_word >> 30 & 1)
            std::swap(expected[0], expected[1]);
        for (std::size_t k = 0; k < 2; ++k)   // a radius near 0 comes from u near 1, where a float has 24 bits
            ASSERT_NEAR(z[2 * pair + k], expected[k], 1e-6 * std::fabs(expected[k]) + 1.2e-7 / std::fmax(radius, 1e-4))
                << "pair " << pair;
    }
}

TEST(StandardNormals, HaveTheMomentsOfANormal)
{
    const std::size_t n = 4'000'000;
    const auto z        = normals(key, n);
    double m[7]         = {};
    for (const double v : z)
        for (int k = 1; k <= 6; ++k)
            m[k] += std::pow(v, k) / static_cast<double>(n);
    const double se = 1
                      / std::sqrt(
                          static_cast<double>(n));   // 4 standard errors each; variances 1, 2, 15, 96, 945, 10170
    EXPECT_NEAR(m[1], 0, 4 * se);
    EXPECT_NEAR(m[2], 1, 4 * se * std::sqrt(2));
    EXPECT_NEAR(m[3], 0, 4 * se * std::sqrt(15));
    EXPECT_NEAR(m[4], 3, 4 * se * std::sqrt(96));
    EXPECT_NEAR(m[5], 0, 4 * se * std::sqrt(945));
    EXPECT_NEAR(m[6], 15, 4 * se * std::sqrt(10170));
}

TEST(StandardNormals, FollowTheNormalDistribution)
{
    const auto z = normals(key, 1'000'000);
    std::vector<double> u(z.size());
    std::transform(z.begin(), z.end(), u.begin(), normal_cdf);
    EXPECT_LT(kolmogorov_smirnov(u), 1.95);

    std::vector<double> d(200'000);
    standard_normals(key, 0, std::span(d));
    std::transform(d.begin(), d.end(), d.begin(), normal_cdf);
    EXPECT_LT(kolmogorov_smirnov(d), 1.95);
}

TEST(StandardNormals, HaveTheTailsOfANormal)
{
    std::vector<float> z(1 << 16);
    double beyond[6] = {};
    const int parts  = 256;
    for (int part = 0; part < parts; ++part) {
        standard_normals(key, static_cast<std::uint64_t>(part) * z.size(), std::span(z));
        for (const float v : z)
            for (int k = 1; k <= 5; ++k)
                beyond[k] += std::fabs(v) > static_cast<float>(k);
    }
    for (int k = 1; k <= 5; ++k) {
        const double expected = 2 * normal_cdf(-k) * parts * static_cast<double>(z.size());
        EXPECT_NEAR(beyond[k], expected, 4.5 * std::sqrt(expected)) << "beyond " << k << " standard deviations";
    }
}

TEST(StandardNormals, AreIndependentOfEachOther)
{
    const std::size_t n = 1'000'000;
    const double limit  = 4.5 / std::sqrt(static_cast<double>(n));
    const auto z        = normals(key, n);
    for (std::size_t lag : {1u, 2u, 3u, 4u, 8u, 16u, 32u, 64u}) {
        const auto later = normals(key, n, lag);
        EXPECT_LT(std::fabs(correlation(z, later)), limit) << "lag " << lag;
        std::vector<float> a(n), b(n);   // squares detect what signs hide
        std::transform(z.begin(), z.end(), a.begin(),
                       [](float v) { return (v * v - 1) / std::numbers::sqrt2_v<float>; });
        std::transform(later.begin(), later.end(), b.begin(),
                       [](float v) { return (v * v - 1) / std::numbers::sqrt2_v<float>; });
        EXPECT_LT(std::fabs(correlation(a, b)), limit) << "squares, lag " << lag;
    }
}

TEST(StandardNormals, AreIndependentBetweenKeys)
{
    const std::size_t n = 1'000'000;
    const double limit  = 4.5 / std::sqrt(static_cast<double>(n));
    const auto z        = normals(key, n);
    for (const NoiseKey other :
         {NoiseKey{key.seed + 1, key.stream, key.index}, NoiseKey{key.seed, Stream::dropout, key.index},
          NoiseKey{key.seed, key.stream, key.index + 1}, NoiseKey{key.seed + (1ull << 32), key.stream, key.index}})
        EXPECT_LT(std::fabs(correlation(z, normals(other, n))), limit);
}

TEST(StandardNormals, DoNotRepeatBetweenNeighbouringBlocks)
{
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    std::vector<std::uint32_t> words(1 << 16);
    random_bits(key, 0, words);
    for (std::size_t k = 0; k < words.size(); k += 2)
        EXPECT_TRUE(seen.emplace(words[k], words[k + 1]).second) << "pair " << k / 2;
    const auto z = normals(key, 4096);
    EXPECT_GT((std::set<float>(z.begin(), z.end()).size()), 4090u);
}

TEST(Uniforms, AreUniformAndNeverZeroOrOne)
{
    std::vector<float> f(1'000'000);
    std::vector<double> d(200'000);
    uniforms(key, 0, std::span(f));
    uniforms(key, 0, std::span(d));
    EXPECT_GT(*std::min_element(f.begin(), f.end()), 0.0f);
    EXPECT_LT(*std::max_element(f.begin(), f.end()), 1.0f);
    EXPECT_LT(kolmogorov_smirnov({f.begin(), f.end()}), 1.95);
    EXPECT_LT(kolmogorov_smirnov(d), 1.95);
}

TEST(Uniforms, AreOddMultiplesOfHalfTheirResolution)
{
    std::vector<float> f(4096);
    uniforms(key, 0, std::span(f));
    for (std::size_t i = 0; i < f.size(); ++i)
        ASSERT_EQ(f[i], static_cast<float>(2 * (block_of(key, i / 4, 3)[i % 4] >> 9) + 1) * 0x1p-24f);
    std::vector<double> d(64);
    uniforms(key, 0, std::span(d));
    for (std::size_t i = 0; i < d.size(); ++i) {
        const auto w             = block_of(key, i / 2, 4);
        const std::uint64_t wide = w[i % 2 * 2] | std::uint64_t{w[i % 2 * 2 + 1]} << 32;
        ASSERT_EQ(d[i], static_cast<double>(2 * (wide >> 12) + 1) * 0x1p-53);
    }
}

TEST(Permutation, HoldsEveryNumberOnceAndIsAFunctionOfItsKey)
{
    for (const std::size_t n : {0u, 1u, 2u, 17u, 1000u}) {
        auto p = permutation(key, n);
        EXPECT_EQ(p, permutation(key, n));
        std::sort(p.begin(), p.end());
        for (std::size_t i = 0; i < n; ++i)
            ASSERT_EQ(p[i], i);
    }
    EXPECT_NE(permutation(key, 100), permutation({key.seed, key.stream, key.index + 1}, 100));
}

TEST(Permutation, GivesEveryOrderEquallyOften)
{
    std::array<int, 24> counts{};
    const int trials = 48000;
    for (int t = 0; t < trials; ++t) {
        const auto p = permutation({key.seed, Stream::minibatches, static_cast<std::uint32_t>(t)}, 4);
        int rank     = 0;   // Lehmer code
        for (std::size_t i = 0; i < 4; ++i)
            rank = rank * static_cast<int>(4 - i)
                   + static_cast<int>(std::count_if(p.begin() + static_cast<std::ptrdiff_t>(i), p.end(),
                                                    [&](auto v) { return v < p[i]; }));
        ++counts[static_cast<std::size_t>(rank)];
    }
    double chi_squared = 0;
    for (const int c : counts)
        chi_squared += (c - trials / 24.0) * (c - trials / 24.0) / (trials / 24.0);
    EXPECT_LT(chi_squared, 49.73);   // 23 degrees of freedom, 0.001
}
