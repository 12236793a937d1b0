// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/logistic_normal.h"

#include "foundation/error.h"
#include "foundation/parallel.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {

const std::vector<float> mu{1, 1, -2, 0.5f, 0, 0},
    sigma{1, 0, 0.5f, 0, 2, 0.3f, 0.5f, 0.3f, 0.5f, 4, -1, 0, -1, 1, 0, 0, 0, 0.25f};

LogitGaussian row(int i)
{
    return LogitGaussian::from_covariance({mu.begin() + 3 * i, mu.begin() + 3 * i + 3},
                                          {sigma.begin() + 9 * i, sigma.begin() + 9 * i + 9});
}

}   // namespace

TEST(SoftmaxSamples, HaveTheIntegratedMean)
{
    const int n = 20000;
    std::vector<float> mean(6);
    softmax_mean_by_draws(3, mu, sigma, n, 1, mean);
    for (int i = 0; i < 2; ++i) {
        const auto e = expectations(row(i));
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(mean[3 * i + k], e.mean[k], 4 * std::sqrt(e.variance()[k] / n)) << i << ", " << k;
    }
}

TEST(SoftmaxSamples, AnyNumberOfSamplesGivesProbabilities)
{
    for (const int n : {1, 3, 64, 65, 1000}) {
        std::vector<float> mean(6);
        softmax_mean_by_draws(3, mu, sigma, n, 1, mean);
        EXPECT_NEAR(mean[0] + mean[1] + mean[2], 1, 1e-5) << n;
        EXPECT_NEAR(mean[3] + mean[4] + mean[5], 1, 1e-5) << n;
    }
}

TEST(SoftmaxSamples, AreTheSameBitsOnAnyNumberOfThreadsAndForTenClassesToo)
{
    const int K = 10, N = 50;
    std::vector<float> m(K * N, 0.1f), c(K * K * N, 0.05f), one(K * N), many(K * N);
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < K; ++k)
            c[i * K * K + k * K + k] = 1 + 0.1f * static_cast<float>(k);
    Threads(1).run([&] { softmax_mean_by_draws(K, m, c, 100, 3, one); });
    Threads(7).run([&] { softmax_mean_by_draws(K, m, c, 100, 3, many); });
    EXPECT_EQ(one, many);
}

TEST(SoftmaxSamples, ASingularCovarianceIsAcceptedANegativeOneIsNot)
{
    std::vector<float> mean(3);
    softmax_mean_by_draws(3, std::vector<float>{2, 0, 0}, std::vector<float>(9, 1.0f), 64, 1,
                          mean);   // a shared shift: softmax is a point
    EXPECT_NEAR(mean[0], std::exp(2) / (std::exp(2) + 2), 1e-5);
    EXPECT_THAT(
        [&] {
        softmax_mean_by_draws(3, std::vector<float>{2, 0, 0}, std::vector<float>{1, 2, 0, 2, 1, 0, 0, 0, 1}, 64, 1,
                              mean);
        },
        testing::ThrowsMessage<Error>(
            "Softmax by sampling: the covariance of row 0 has a negative eigenvalue, expected a positive "
            "semidefinite matrix."));
    EXPECT_THAT([&] { softmax_mean_by_draws(3, mu, std::vector<float>(9), 64, 1, mean); },
                testing::ThrowsMessage<Error>(
                    "Softmax by sampling: 6 means and 9 covariances found, expected N·K and N·K·K of them, K = 3."));
}
