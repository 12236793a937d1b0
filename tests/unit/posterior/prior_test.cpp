// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/prior.h"

#include "posterior/prior_terms.h"
#include "posteriors.h"

#include <gmock/gmock.h>

namespace credence::testing {
namespace {

const ScaleMixturePrior mixtures[] = {
    {}, {0.25, std::exp(-1.0), std::exp(-7.0)}, {0.75, std::exp(-2.0), std::exp(-8.0)}, {0.5, 0.1, 2.0}};
const double weights[] = {0, 1e-5, -1e-3, 0.0025, -0.01, 0.02, -0.3, 1, 5};

TEST(Prior, DensityIntegratesToOne)
{
    for (const BlockPrior& prior :
         {BlockPrior{GaussianPrior{0.3, 0.8}}, BlockPrior{ScaleMixturePrior{0.3, 1.2, 0.1}}}) {
        double sum            = 0;
        constexpr double step = 1e-3;
        for (int i = -12000; i <= 12000; ++i)
            sum += step * std::exp(log_density(prior, step * i));
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST(Prior, MixtureIsTheLogarithmOfTheSumOfTwoNormals)
{
    const auto normal = [](double w, double sd) {
        return std::exp(-0.5 * w * w / (sd * sd)) / (sd * std::sqrt(2 * M_PI));
    };
    const ScaleMixturePrior mixture{0.3, 1.2, 0.1};
    for (const double w : {0.0, 0.05, -0.2, 1.0}) {
        const double wide = 0.3 * normal(w, 1.2), narrow = 0.7 * normal(w, 0.1);
        EXPECT_NEAR(log_density(mixture, w), std::log(wide + narrow), 1e-14);
        EXPECT_NEAR(wide_responsibility(mixture, w), wide / (wide + narrow), 1e-14);
    }
}

TEST(Prior, GradientIsTheSlopeOfTheDensity)
{
    for (const BlockPrior& prior : {BlockPrior{GaussianPrior{0.3, 0.8}}, BlockPrior{ScaleMixturePrior{0.3, 1.2, 0.1}},
                                    BlockPrior{ScaleMixturePrior{}}})
        for (const double w : {0.001, -0.004, 0.05, -0.2, 1.0, 7.0}) {
            const double h     = 1e-7;
            const double slope = (log_density(prior, w + h) - log_density(prior, w - h)) / (2 * h);
            EXPECT_NEAR(log_density_gradient(prior, w), slope, 1e-5 * (1 + std::fabs(slope))) << w;
        }
}

TEST(Prior, MixtureHasTwoTails)
{
    const ScaleMixturePrior mixture;
    EXPECT_EQ(wide_responsibility(mixture, 60), 1);
    EXPECT_DOUBLE_EQ(log_density_gradient(mixture, 60), -60);
    EXPECT_NEAR(log_density(mixture, 60), std::log(0.5) - 0.5 * std::log(2 * M_PI) - 1800, 1e-9);
    EXPECT_EQ(log_density_gradient(mixture, 0), 0);
}

TEST(Prior, FromPrecisionIsFromTheRootOfItsInverse)
{
    EXPECT_EQ(GaussianPrior::from_precision(100), GaussianPrior::from_sigma(0.1));
    EXPECT_EQ(GaussianPrior::from_precision(4, 1.5), (GaussianPrior{1.5, 0.5}));
}

TEST(Prior, OfWeightsAndBiasesFollowsTheKindOfTheBlock)
{
    const auto layout = layout_with({4, 2, 4, 2});
    const Prior prior = Prior::weights_and_biases(layout, GaussianPrior{0, 0.1}, ScaleMixturePrior{});
    ASSERT_EQ(prior.blocks.size(), 4u);
    for (std::size_t b = 0; b < 4; ++b)
        EXPECT_EQ(std::holds_alternative<ScaleMixturePrior>(prior.blocks[b]), b % 2 == 1);
    EXPECT_EQ(Prior::same(layout, GaussianPrior{}),
              Prior::weights_and_biases(layout, GaussianPrior{}, GaussianPrior{}));
}

TEST(PriorTerms, AgreeWithThePlainFormulas)
{
    for (const ScaleMixturePrior& mixture : mixtures) {
        const MixtureTerms<double> terms(mixture);
        const MixtureTerms<float> fast(mixture);
        for (const double w : weights) {
            const double gradient = log_density_gradient(mixture, w), density = log_density(mixture, w);
            EXPECT_NEAR(-terms.pull(w), gradient, 1e-12 * (1 + std::fabs(gradient))) << w;
            EXPECT_NEAR(terms.log_density(w), density, 1e-12 * (1 + std::fabs(density))) << w;
            // In float the exponent l1 - l2 itself has 24 bits, which the responsibility turns into a relative error.
            const double exponent = 1 + std::fabs(0.5 * w * w * (1 / (mixture.sigma_narrow * mixture.sigma_narrow)));
            const double bound    = std::min(1.0, 1e-6 * exponent)
                                     * (wide_responsibility(mixture, w) < 1 - 1e-9 ? 1 : 1e-6)
                                 + 2e-6;
            EXPECT_NEAR(-fast.pull(static_cast<float>(w)), gradient, bound * (1e-3 + std::fabs(gradient))) << w;
            EXPECT_NEAR(fast.log_density(static_cast<float>(w)), density, 2e-6 * (10 + std::fabs(density))) << w;
        }
    }
}

TEST(PriorTerms, SumOfLogsIsTheSumOfTheLogs)
{
    std::vector<float> x(1000);
    std::vector<double> exact(1000);
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        x[k]     = (k % 2 ? -1.0f : 1.0f) * std::exp(static_cast<float>(k % 160) - 80.0f);
        exact[k] = x[k];
        sum += std::log(std::fabs(exact[k]));
    }
    EXPECT_NEAR(sum_of_logs(x.data(), x.size()), sum, 1e-9);
    EXPECT_NEAR(sum_of_logs(exact.data(), exact.size()), sum, 1e-9);
    x[700] = 1e-42f;   // subnormal
    EXPECT_NEAR(sum_of_logs(x.data(), x.size()),
                sum - std::log(std::fabs(exact[700])) + std::log(static_cast<double>(x[700])), 1e-9);
    x[3] = 0;
    EXPECT_EQ(sum_of_logs(x.data(), x.size()), -std::numeric_limits<double>::infinity());
}

}   // namespace
}   // namespace credence::testing
