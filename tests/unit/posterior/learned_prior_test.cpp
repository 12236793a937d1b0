// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/learned_prior.h"

#include "foundation/error.h"
#include "posteriors.h"

#include <gmock/gmock.h>

namespace credence::testing {
namespace {

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
    EXPECT_THAT(weights_behind_learned(prior, layout), ElementsAre(2.0 * elementwise_chunk + 300, 1.0));
    EXPECT_THAT(weights_behind_learned(mixture_prior(layout), layout),
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
