// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/sample_set.h"

#include "foundation/error.h"
#include "posteriors.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <limits>

namespace credence::testing {
namespace {

using ::testing::HasSubstr;

const ParameterLayout& layout()
{
    static const auto of_two_blocks = layout_with({30, 5});
    return of_two_blocks;
}

aligned_vector<float> some_draws(std::size_t n_draws)
{
    aligned_vector<float> draws(n_draws * layout().size());
    standard_normals({5, Stream::data, 0}, 0, std::span<float>(draws));
    return draws;
}

std::string refusal(aligned_vector<float> draws, SampleOrigin origin = {})
{
    return sentence_of_error([&] { SampleSet(layout(), std::move(draws), std::move(origin)); });
}

TEST(SampleSet, ASampleIsAMemberOfTheSetAndAFunctionOfItsKey)
{
    const SampleSet set(layout(), some_draws(7));
    auto a = set.make_draw(), b = set.make_draw();
    EXPECT_TRUE(a.noise.empty());
    for (std::uint32_t i = 0; i < 50; ++i) {
        set.draw({3, Stream::prediction, i}, a);
        set.draw({3, Stream::prediction, i}, b);
        EXPECT_EQ(a.weights, b.weights);
        bool found = false;
        for (std::size_t s = 0; s < set.n_draws(); ++s)
            found = found || std::equal(a.weights.begin(), a.weights.end(), set.draw_number(s).begin());
        EXPECT_TRUE(found) << i;
    }
}

TEST(SampleSet, AllMembersAreEquallyLikely)
{
    constexpr std::size_t M = 5, n = 20000;
    const SampleSet set(layout(), some_draws(M));
    std::vector<int> count(M);
    auto draw = set.make_draw();
    for (std::uint32_t i = 0; i < n; ++i) {
        set.draw({3, Stream::prediction, i}, draw);
        for (std::size_t s = 0; s < M; ++s)
            count[s] += draw.weights[0] == set.draw_number(s)[0];
    }
    for (std::size_t s = 0; s < M; ++s)
        EXPECT_NEAR(count[s], n / M, 5 * std::sqrt(n / M * (1 - 1.0 / M))) << s;
}

TEST(SampleSet, MomentsMatchTheMembers)
{
    const SampleSet set(layout(), some_draws(6));
    const std::size_t n = layout().size();
    std::vector<float> mean(n), sd(n);
    set.moments(mean, sd);
    for (std::size_t i = 0; i < n; ++i) {
        double m = 0, v = 0;
        for (std::size_t s = 0; s < 6; ++s)
            m += set.draw_number(s)[i] / 6.0;
        for (std::size_t s = 0; s < 6; ++s)
            v += std::pow(set.draw_number(s)[i] - m, 2) / 5;
        EXPECT_NEAR(mean[i], m, 1e-6) << i;
        EXPECT_NEAR(sd[i], std::sqrt(v), 1e-6) << i;
        EXPECT_EQ(set.means()[i], mean[i]) << i;
    }
}

TEST(SampleSet, MomentsHaveTheSameBitsForAnyNumberOfThreads)
{
    const auto wide = layout_with({100'000, 40});
    aligned_vector<float> draws(3 * wide.size());
    standard_normals({5, Stream::data, 1}, 0, std::span<float>(draws));
    std::vector<float> first;
    for (const int count : {1, 2, 7}) {
        std::vector<float> mean(wide.size()), sd(wide.size());
        Threads(count).run([&] { SampleSet(wide, draws).moments(mean, sd); });
        mean.insert(mean.end(), sd.begin(), sd.end());
        if (first.empty())
            first = mean;
        EXPECT_EQ(mean, first) << count;
    }
}

TEST(SampleSet, HasTheCovarianceOfItsMembersExceptForOneAlone)
{
    const SampleSet many(layout(), some_draws(4)), one(layout(), some_draws(1));
    EXPECT_EQ(many.noise_in(), NoiseIn::weights);
    const auto covariance  = many.covariance();
    const auto& of_samples = std::get<SampleCovariance>(covariance);
    EXPECT_EQ(of_samples.draws.data(), many.numbers().data());
    EXPECT_EQ(of_samples.mean.data(), many.means().data());
    EXPECT_EQ(one.noise_in(), NoiseIn::nothing);
    EXPECT_TRUE(std::holds_alternative<NoCovariance>(one.covariance()));
}

TEST(SampleSet, DescribesEveryBlock)
{
    const SampleSet set(layout(), some_draws(200));
    const auto layers = set.describe();
    ASSERT_EQ(layers.size(), 2u);
    for (std::size_t b = 0; b < 2; ++b) {
        EXPECT_EQ(layers[b].block, layout().blocks[b].name);
        EXPECT_EQ(layers[b].kind, layout().blocks[b].kind);
        EXPECT_NEAR(layers[b].median_sd, 1, 0.1);
        EXPECT_LT(layers[b].mean_abs, 0.2);
        EXPECT_GT(layers[b].median_relative_sd, 5);
        EXPECT_FALSE(layers[b].tau);
    }
}

TEST(SampleSet, StoresTheOriginOfItsMembers)
{
    const SampleOrigin origin{{0, 0, 1, 1}, {100, 200, 100, 200}};
    EXPECT_EQ(SampleSet(layout(), some_draws(4), origin).origin(), origin);
    EXPECT_EQ(SampleSet(layout(), some_draws(4)).origin(), SampleOrigin{});
}

TEST(SampleSet, ItsFirstMembersAreASetInTheSameMemory)
{
    const SampleSet all(layout(), some_draws(6), {{0, 0, 1, 1, 2, 2}, {}});
    const auto first = all.first_draws(4, {{0, 0, 1, 1}, {}});
    ASSERT_EQ(first->n_draws(), 4u);
    EXPECT_EQ(first->numbers().data(), all.numbers().data());
    EXPECT_EQ(first->origin().chains, (std::vector<int>{0, 0, 1, 1}));
    auto copy = some_draws(6);
    copy.resize(4 * layout().size());
    const SampleSet alone(layout(), std::move(copy));
    EXPECT_TRUE(std::equal(alone.means().begin(), alone.means().end(), first->means().begin()));
    try {
        (void)all.first_draws(7);
        FAIL() << "accepted more draws than there are";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "The set of draws has 6 draws, expected at least 7.");
    }
}

TEST(SampleSet, RejectsInvalidMembers)
{
    auto draws = some_draws(4);
    EXPECT_EQ(refusal({}), "The set of draws has 0 weights, expected a positive multiple of 35.");
    EXPECT_EQ(refusal(aligned_vector<float>(36)),
              "The set of draws has 36 weights, expected a positive multiple of 35.");
    EXPECT_EQ(refusal(draws, {{0, 0, 1}, {}}),
              "The set of draws has 3 numbers of chains, expected 4, one per draw, or none.");
    EXPECT_EQ(refusal(draws, {{}, {1}}), "The set of draws has 1 numbers of steps, expected 4, one per draw, or none.");
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
        draws[2 * 35 + 31] = bad;
        EXPECT_EQ(refusal(draws), "Draw 2 has a weight in block \"dense 1 biases\" that is not a finite number.");
    }
}

}   // namespace
}   // namespace credence::testing
