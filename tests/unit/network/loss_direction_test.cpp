// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihood.h"

#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

TEST(LossDirection, TimesItsSizeIsTheGradientOfTheLoss)
{
    for (const int k : {2, 3, 10}) {
        const auto z = normals(static_cast<std::size_t>(k), 3, 2.0);
        for (int label = 0; label < k; ++label) {
            std::vector<double> gradient(z.size()), v(z.size());
            const double loss = negative_log_likelihood<double>(Likelihood::categorical(), z, 1, k,
                                                                {std::span(&label, 1), {}}, gradient, 1.0);
            const auto found  = loss_direction<double>(z, label, v);
            EXPECT_NEAR(found.log_probability, -loss, 1e-12);
            EXPECT_NEAR(std::exp(found.log_probability) + std::exp(found.log_rest), 1, 1e-12);
            for (std::size_t c = 0; c < z.size(); ++c)
                EXPECT_NEAR(std::exp(found.log_rest) * v[c], gradient[c], 1e-12) << "class " << c;
        }
    }
}

TEST(LossDirection, ExistsWhereTheSoftmaxOfFloatsHasNone)
{
    const std::vector<float> z{200, 0, 1};
    const int label = 0;
    std::vector<float> gradient(3), v(3);
    negative_log_likelihood<float>(Likelihood::categorical(), z, 1, 3, {std::span(&label, 1), {}}, gradient, 1.0f);
    EXPECT_THAT(gradient, testing::Each(0.0f));
    const auto found = loss_direction<float>(z, label, v);
    const double e   = std::exp(1.0);
    EXPECT_EQ(v[0], -1);
    EXPECT_NEAR(v[1], 1 / (1 + e), 1e-7);
    EXPECT_NEAR(v[2], e / (1 + e), 1e-7);
    EXPECT_NEAR(found.log_rest, std::log(1 + e) - 200, 1e-9);
    EXPECT_NEAR(found.log_probability, 0, 1e-80);
}

TEST(LossDirection, AMillionAddedToAllLogitsChangesNoBit)
{
    const std::vector<float> z{1.5f, -2.25f, 0.75f};
    std::vector<float> raised = z, v(3), w(3);
    for (float& logit : raised)
        logit += 1e6f;   // exact: multiples of 1/16
    for (int label = 0; label < 3; ++label) {
        const auto a = loss_direction<float>(z, label, v), b = loss_direction<float>(raised, label, w);
        EXPECT_EQ(v, w);
        EXPECT_EQ(a.log_probability, b.log_probability);
        EXPECT_EQ(a.log_rest, b.log_rest);
    }
}

}   // namespace
}   // namespace credence
