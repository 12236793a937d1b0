// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/guards.h"

#include "posteriors.h"

#include <gmock/gmock.h>

namespace credence::testing {
namespace {

constexpr NoiseKey coins{3, Stream::guards, 12};

TEST(Guards, KeepMeansAwayFromZeroByAFairCoin)
{
    const std::size_t n = 20000;
    const auto layout   = layout_with({n, 10});
    for (const std::string family : {"layer_scale", "tridiagonal"}) {
        const auto posterior = make_posterior<float>(layout, {.family = family}, some_means(n + 10));
        const auto theta     = posterior->parameters();
        std::vector<float> before(theta.begin(), theta.end());
        for (std::size_t i = 0; i < n; i += 2)
            theta[i] = i % 4 ? 0.0f : -9e-7f;
        posterior->apply_guards(coins);
        int up = 0;
        for (std::size_t i = 0; i < n; ++i)
            if (i % 2 == 0) {
                ASSERT_EQ(std::fabs(theta[i]), 1e-6f) << i;
                up += theta[i] > 0;
            } else {
                ASSERT_EQ(theta[i], before[i]) << i;
            }
        EXPECT_NEAR(up, 5000, 5 * 50) << "10,000 fair coins";
    }
}

TEST(Guards, KeepTauAndRhoInTheirRanges)
{
    const auto layout     = layout_with({10, 3, 10, 3, 8});
    const auto posterior  = make_posterior<double>(layout, {.family = "tridiagonal"}, some_means(34));
    const auto theta      = posterior->parameters();
    double* const delta   = theta.data() + 34;
    double* const gamma   = delta + 5;
    const double deltas[] = {-7, -4.600166, -4.6, 0.5, 9}, gammas[] = {0.02, -0.04, 0.05, 10.5, -11};
    std::copy_n(deltas, 5, delta);
    std::copy_n(gammas, 5, gamma);
    posterior->apply_guards(coins);
    EXPECT_THAT(std::vector<double>(delta, delta + 5), ::testing::ElementsAre(-4.600166, -4.600166, -4.6, 0.5, 9));
    EXPECT_EQ(std::fabs(gamma[0]), 0.04000533);
    EXPECT_EQ(std::fabs(gamma[1]), 0.04000533);
    EXPECT_THAT(std::vector<double>(gamma + 2, gamma + 5), ::testing::ElementsAre(0.05, 10, -10));
}

TEST(Guards, FlipTheSameCoinsForTheSameKey)
{
    const auto layout = layout_with({1000});
    const auto thrown = [&](NoiseKey key) {
        const auto posterior = make_posterior<float>(layout, {.family = "layer_scale"}, some_means(1000));
        std::fill_n(posterior->parameters().begin(), 1000, 0.0f);
        posterior->apply_guards(key);
        return std::vector<float>(posterior->parameters().begin(), posterior->parameters().end());
    };
    EXPECT_EQ(thrown(coins), thrown(coins));
    EXPECT_NE(thrown(coins), thrown({3, Stream::guards, 13}));
}

TEST(Guards, AreOptions)
{
    const auto layout = layout_with({10, 3});
    PosteriorOptions options{.family = "tridiagonal"};
    const auto guarded = [&] {
        const auto posterior = make_posterior<double>(layout, options, some_means(13));
        const auto theta     = posterior->parameters();
        theta[0]             = 1e-8;
        theta[13]            = -9;
        theta[15]            = 0.001;
        theta[16]            = 12;
        posterior->apply_guards(coins);
        return std::vector<double>{std::fabs(theta[0]), theta[13], std::fabs(theta[15]), theta[16]};
    };
    EXPECT_THAT(guarded(), ::testing::ElementsAre(1e-6, -4.600166, 0.04000533, 10));
    options.guard_gamma = false;
    EXPECT_THAT(guarded(), ::testing::ElementsAre(1e-6, -4.600166, 0.001, 10));
    options.guard_spread = false;
    EXPECT_THAT(guarded(), ::testing::ElementsAre(1e-8, -9, 0.001, 12));
}

TEST(Guards, LeaveOtherFamiliesUnchanged)
{
    const auto layout = layout_with({10, 3});
    for (const std::string family : {"point_estimate", "bernoulli_dropout", "mean_field"}) {
        const auto posterior = make_posterior<float>(layout, {.family = family}, std::vector<float>(13, 0.0f));
        const std::vector<float> before(posterior->parameters().begin(), posterior->parameters().end());
        posterior->apply_guards(coins);
        EXPECT_THAT(posterior->parameters(), ::testing::ElementsAreArray(before));
    }
}

TEST(Guards, CorrespondToTheLimitsOfTauAndRhoInThePaper)
{
    EXPECT_NEAR(std::log1p(std::exp(guard_smallest_delta)), 0.01, 1e-7);
    EXPECT_NEAR(0.5 * std::tanh(guard_smallest_gamma / 2), 0.01, 1e-8);
    EXPECT_NEAR(0.5 * std::tanh(guard_largest_gamma / 2), 0.4999546, 1e-7);
}

}   // namespace
}   // namespace credence::testing
