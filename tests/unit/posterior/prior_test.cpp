// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
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

using ::testing::DoubleEq;
using ::testing::ElementsAre;

const std::string families_with_kl[] = {"mean_field", "layer_scale", "tridiagonal"};

std::unique_ptr<VariationalFamily<double>> spread_out(const std::string& family, const ParameterLayout& layout)
{
    return make_posterior<double>(
        layout, {.family = family, .initial_sd = 0.3, .initial_tau = {0.4, 0.15}, .initial_rho = {0.3, -0.45}},
        some_means(layout.size()));
}

/// Five-point difference of `value` in parameter j of the prior.
template <class Value>
double difference_in(const Prior& prior, std::size_t j, const Value& value)
{
    constexpr double h = 1e-3;
    const auto at      = [&](double offset) {
        std::vector<double> parameters = learned_parameters(prior);
        parameters[j] += offset;
        Prior moved = prior;
        set_learned_parameters<double>(moved, parameters);
        return value(moved);
    };
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
}

TEST(LearnedPrior, RoundTripIsTheIdentity)
{
    const auto layout = layout_with({6, 2, 4, 1});
    for (const Prior& prior : {gaussian_prior(layout), mixture_prior(layout)}) {
        Prior other = prior;
        if (std::holds_alternative<GaussianPrior>(prior.blocks[0]))
            other = Prior::weights_and_biases(layout, GaussianPrior{0.2, 9}, GaussianPrior{-0.1, 7});
        else
            other = Prior::same(layout, ScaleMixturePrior{0.9, 7, 0.7});
        set_learned_parameters<double>(other, learned_parameters(prior));
        const auto want = learned_values(prior), got = learned_values(other);
        ASSERT_EQ(got.size(), want.size());
        for (std::size_t j = 0; j < want.size(); ++j)
            EXPECT_NEAR(got[j], want[j], 1e-14);
    }
    EXPECT_THAT(learned_values(mixture_prior(layout)), ElementsAre(0.4, 0.9, 0.2));
    EXPECT_THAT(learned_values(gaussian_prior(layout)), ElementsAre(0.7, 1.5, 0.7, 1.5));
}

TEST(LearnedPrior, GradientOfTheClosedKlIsItsDerivative)
{
    const auto layout = layout_with({30, 5, 12, 1});
    Prior prior = gaussian_prior(layout), listed = prior;
    for (std::size_t i = 0; i < layout.size(); ++i)
        listed.means.push_back(0.1 * static_cast<double>(i % 7) - 0.3);
    for (const Prior& one : {prior, listed})
        for (const std::string& family : families_with_kl) {
            const auto posterior = spread_out(family, layout);
            std::vector<float> mean(layout.size()), sd(layout.size());
            posterior->moments(mean, sd);
            std::vector<double> gradient(layout.blocks.size());
            closed_prior_gradient(one, layout, mean, sd, gradient);
            for (std::size_t j = 0; j < gradient.size(); ++j) {
                const double want = difference_in(one, j, [&](const Prior& p) { return posterior->kl(p).value(); });
                EXPECT_NEAR(gradient[j], want, 1e-5 * (1 + std::fabs(want))) << family << ", parameter " << j;
            }
        }
}

TEST(LearnedPrior, GradientOfTheSampledComplexityIsItsDerivative)
{
    const auto layout = layout_with({30, 5, 12, 1});
    for (const Prior& prior : {gaussian_prior(layout), mixture_prior(layout)})
        for (const std::string& family : families_with_kl) {
            const auto posterior = spread_out(family, layout);
            Draw<double> draw    = posterior->make_draw();
            posterior->draw({3, Stream::weight_noise, 1}, draw);
            std::vector<double> gradient(learned_parameters(prior).size());
            sampled_prior_gradient<double>(prior, layout, draw.weights, gradient);
            for (std::size_t j = 0; j < gradient.size(); ++j) {
                const double want = difference_in(
                    prior, j, [&](const Prior& p) { return posterior->sampled_complexity(draw, p).value(); });
                EXPECT_NEAR(gradient[j], want, 1e-7 * (1 + std::fabs(want))) << family << ", parameter " << j;
            }
        }
}

TEST(LearnedPrior, GradientOfManyChunksIsTheSumOverAllWeights)
{
    const auto layout = layout_with({2 * elementwise_chunk + 300, 1});
    const Prior prior = Prior::same(layout, GaussianPrior{0, 0.5});
    const std::vector<float> weights(layout.size(), 1.0f);
    std::vector<double> gradient(2);
    sampled_prior_gradient<float>(prior, layout, weights, gradient);
    EXPECT_THAT(gradient, ElementsAre(DoubleEq(-3.0 * (2 * elementwise_chunk + 300)), DoubleEq(-3.0)));
    EXPECT_THAT(weights_per_learned(prior, layout), ElementsAre(2.0 * elementwise_chunk + 300, 1.0));
    EXPECT_THAT(weights_per_learned(mixture_prior(layout), layout),
                ElementsAre(layout.size(), layout.size(), layout.size()));
}

TEST(LearnedPrior, RejectsTheClosedKlToAMixture)
{
    const auto layout = layout_with({3, 1});
    std::vector<float> mean(4, 0.1f), sd(4, 0.1f);
    std::vector<double> gradient(3);
    try {
        closed_prior_gradient(mixture_prior(layout), layout, mean, sd, gradient);
        FAIL() << "it was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.field(), "training.complexity");
    }
}

TEST(LearnedPrior, ParametersFollowThoseOfTheFamilyAndDoNotChangeIt)
{
    const auto layout = layout_with({30, 5});
    const Prior prior = gaussian_prior(layout);
    for (const std::string& family : families_with_kl) {
        const auto plain = spread_out(family, layout), learns = spread_out(family, layout);
        learns->learn_prior(prior);
        ASSERT_EQ(learns->prior_parameters().size(), 2u) << family;
        EXPECT_TRUE(plain->prior_parameters().empty());
        ASSERT_EQ(learns->numbers().size(), plain->numbers().size() + 2) << family;
        EXPECT_DOUBLE_EQ(learns->numbers().back(), std::log(1.5)) << family;
        EXPECT_EQ(learns->clone()->prior_parameters().size(), 2u) << family;
        EXPECT_EQ(learns->kl(prior), plain->kl(prior)) << family;
        learns->parameters().back() = 0;   // within the guards' reach for ρ, were it one
        learns->apply_guards({1, Stream::guards, 0});
        EXPECT_EQ(learns->parameters().back(), 0) << family;
        Draw<double> a = plain->make_draw(), b = learns->make_draw();
        plain->draw({3, Stream::weight_noise, 1}, a);
        learns->draw({3, Stream::weight_noise, 1}, b);
        EXPECT_EQ(a.weights, b.weights) << family;
    }
}

TEST(Prior, SamplesHaveItsMomentsAndTheShareOfTheWideComponent)
{
    const std::size_t n = 40000;
    const ParameterLayout layout{{Block{"dense 1 weights", BlockKind::weights, 0, 0, n, 200, 200},
                                  Block{"dense 1 biases", BlockKind::biases, 0, n, n, 200, 200}}};
    const auto prior = Prior::weights_and_biases(layout, GaussianPrior{0.3, 0.8}, ScaleMixturePrior{0.25, 2, 0.01});
    std::vector<float> weights(layout.size()), again(layout.size());
    draw_from(prior, layout, {7, Stream::prior_draws, 3}, weights);
    draw_from(prior, layout, {7, Stream::prior_draws, 3}, again);
    EXPECT_EQ(weights, again);
    double mean = 0, variance = 0, wide_variance = 0;
    std::size_t wide = 0;
    for (std::size_t i = 0; i < n; ++i) {
        mean += static_cast<double>(weights[i]) / n;
        variance += std::pow(static_cast<double>(weights[i]) - 0.3, 2) / n;
        wide += std::fabs(weights[n + i]) > 0.05f ? 1 : 0;   // five narrow standard deviations
        wide_variance += std::pow(static_cast<double>(weights[n + i]), 2) / n;
    }
    EXPECT_NEAR(mean, 0.3, 5 * 0.8 / std::sqrt(n));
    EXPECT_NEAR(variance, 0.64, 5 * 0.64 * std::sqrt(2.0 / n));
    EXPECT_NEAR(static_cast<double>(wide) / n, 0.25 * 0.98,
                5 * std::sqrt(0.25 * 0.75 / n));   // 2 % of the wide are below
    EXPECT_NEAR(wide_variance, 0.25 * 4, 0.06);
    draw_from(prior, layout, {7, Stream::prior_draws, 4}, again);
    EXPECT_NE(weights, again);
    auto with_means  = Prior::same(layout, GaussianPrior{0, 1e-6});
    with_means.means = std::vector<double>(layout.size(), 2);
    draw_from(with_means, layout, {7, Stream::prior_draws, 3}, weights);
    EXPECT_NEAR(weights.back(), 2, 1e-4);
}

TEST(LearnedPrior, StaysBetweenAMillionthAndAMillion)
{
    std::vector<float> parameters{-100, 0.5f, 100};
    guard_learned_parameters<float>(parameters);
    EXPECT_NEAR(std::exp(parameters[0]), 1e-6, 1e-10);
    EXPECT_EQ(parameters[1], 0.5f);
    EXPECT_NEAR(std::exp(parameters[2]), 1e6, 10);
}

}   // namespace
}   // namespace credence::testing
