// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/bridge_rows.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "random/noise.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {

struct Batch {
    std::vector<float> mu, variance, row_sum;
};
/// N rows of K logits, mean spread `scale`, variances from 0.2 to 3; row sums within what a covariance allows.
Batch some_rows(int K, int N, float scale)
{
    Batch b;
    const auto n = static_cast<std::size_t>(K) * N;
    b.mu.resize(n);
    b.variance.resize(n);
    standard_normals({.seed = 5, .stream = Stream::logits, .index = 0}, 0, std::span<float>(b.mu));
    uniforms({.seed = 5, .stream = Stream::logits, .index = 1}, 0, std::span<float>(b.variance));
    for (float& v : b.mu)
        v *= scale;
    for (float& v : b.variance)
        v = 0.2f + 2.8f * v;
    for (const float v : b.variance)
        b.row_sum.push_back(v * 0.6f);
    return b;
}

void expect_rows_agree(const Batch& b, int K, bool diagonal, BridgeVariant variant, float relative)
{
    const LogitRows<float> rows{K, b.mu, b.variance,
                                diagonal ? std::span<const float>() : std::span<const float>(b.row_sum)};
    std::vector<float> alpha(b.mu.size());
    bridge_rows(rows, variant, alpha);
    const std::vector<double> mu(b.mu.begin(), b.mu.end()), variance(b.variance.begin(), b.variance.end()),
        sums(b.row_sum.begin(), b.row_sum.end());
    std::vector<double> log_alpha(mu.size());
    bridge_rows_log({K, mu, variance, diagonal ? std::span<const double>() : std::span<const double>(sums)}, variant,
                    log_alpha);
    for (std::size_t i = 0; i < alpha.size(); ++i)
        ASSERT_NEAR(alpha[i] / std::exp(log_alpha[i]), 1, relative)
            << name(variant) << ", K = " << K << ", number " << i;
}

}   // namespace

TEST(BridgeRows, AgreeWithTheBridgeOfEachRowForEveryVariantAndWidth)
{
    for (const int K : {2, 3, 10, 15, 16, 17, 31, 32, 33, 100, 1000})
        for (const int N : {1, 2, 37})
            for (const BridgeVariant variant : bridge_variants)
                for (const bool diagonal : {true, false})
                    expect_rows_agree(some_rows(K, N, 1.5f), K, diagonal, variant, 2e-5f);
}

TEST(BridgeRows, LargeLogitsUseTheStableComputation)
{
    Batch b = some_rows(3, 5, 1);
    b.mu[6] = 45;
    b.mu[7] = -35;
    expect_rows_agree(b, 3, true, BridgeVariant::plain, 2e-5f);
}

TEST(BridgeRows, AreTheSameBitsOnAnyNumberOfThreads)
{
    const Batch b = some_rows(10, 5003, 2);
    std::vector<float> one(b.mu.size()), many(b.mu.size());
    for (const BridgeVariant variant : bridge_variants) {
        Threads(1).run([&] { bridge_rows({10, b.mu, b.variance, {}}, variant, one); });
        for (const int threads : {2, 7}) {
            std::fill(many.begin(), many.end(), 0.0f);
            Threads(threads).run([&] { bridge_rows({10, b.mu, b.variance, {}}, variant, many); });
            EXPECT_EQ(one, many) << name(variant) << " on " << threads;
        }
    }
}

TEST(BridgeRows, NameTheRejectedRow)
{
    Batch b = some_rows(4, 9, 1);
    std::vector<float> alpha(b.mu.size());
    b.variance[4 * 4 + 2] = -0.2f;
    EXPECT_THAT(
        [&] {
        bridge_rows({4, b.mu, b.variance, {}}, BridgeVariant::plain, alpha);
        },
        testing::ThrowsMessage<Error>("Row 4: Laplace bridge: variance of logit 2 is -0.2, expected a number > 0."));
    b.variance[4 * 4 + 2] = 1;
    b.mu[7]               = NAN;
    EXPECT_THAT(
        [&] {
        bridge_rows({4, b.mu, b.variance, {}}, BridgeVariant::plain, alpha);
        },
        testing::ThrowsMessage<Error>("Row 1: Laplace bridge: mean of logit 3 is nan, expected a finite number."));
    b.mu[7] = 400;
    EXPECT_THAT(
        [&] {
        bridge_rows({4, b.mu, b.variance, {}}, BridgeVariant::plain, alpha);
        },
        testing::ThrowsMessage<Error>(
            testing::AllOf(testing::StartsWith("Row 1: Laplace bridge: ln alpha of class 3 is "),
                           testing::EndsWith(", expected a number between -103 and 88 in single precision."))));
    EXPECT_THAT(
        [&] {
        bridge_rows({4, b.mu, std::span<const float>(b.variance).first(5), {}}, BridgeVariant::plain, alpha);
        },
        testing::ThrowsMessage<Error>(
            "Laplace bridge: 36 means, 5 variances, 0 row sums and space for 36 results found, expected the same "
            "number of rows of 4 classes."));
    EXPECT_THAT(
        [&] {
        bridge_rows({1, b.mu, b.variance, {}}, BridgeVariant::plain, alpha);
        },
        testing::ThrowsMessage<Error>("Laplace bridge: 1 class found, expected at least 2."));
}

TEST(BridgeRows, OfNoRowsAreNone) { EXPECT_NO_THROW(bridge_rows({3, {}, {}, {}}, BridgeVariant::plain, {})); }
