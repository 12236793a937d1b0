// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "posteriors.h"

#include <gmock/gmock.h>

namespace credence::testing {
namespace {

/// L(w) = Σ sin(w_i + i): every derivative is known, none is constant.
double loss(std::span<const double> w)
{
    double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i)
        sum += std::sin(w[i] + static_cast<double>(i));
    return sum;
}
std::vector<double> loss_gradient(std::span<const double> w)
{
    std::vector<double> g(w.size());
    for (std::size_t i = 0; i < w.size(); ++i)
        g[i] = std::cos(w[i] + static_cast<double>(i));
    return g;
}

/// L + complexity as a function of the free parameters, the noise held fixed.
double objective(const VariationalFamily<double>& posterior, Draw<double>& draw, const Complexity& complexity)
{
    posterior.transform(draw);
    double value = loss(draw.weights);
    if (complexity.l2 != 0)
        for (const double w : draw.weights)
            value += 0.5 * complexity.l2 * w * w;
    for (std::size_t b = 0; b < complexity.block_l2.size(); ++b) {
        const Block& block = posterior.layout().blocks[b];
        for (std::size_t i = block.begin; i < block.end(); ++i)
            value += 0.5 * complexity.block_l2[b] * draw.weights[i] * draw.weights[i];
    }
    if (complexity.weight != 0 && posterior.has_weight_noise())
        value += complexity.weight
                 * (complexity.kind == Complexity::Kind::closed
                        ? *posterior.kl(*complexity.prior)
                        : *posterior.sampled_complexity(draw, *complexity.prior));
    return value;
}

/// Five-point difference of the objective in parameter j.
double difference(VariationalFamily<double>& posterior, Draw<double>& draw, const Complexity& complexity, std::size_t j)
{
    constexpr double h  = 2e-4;
    double& theta       = posterior.parameters()[j];
    const double centre = theta;
    const auto at       = [&](double offset) {
        theta = centre + offset;
        return objective(posterior, draw, complexity);
    };
    const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    theta              = centre;
    return slope;
}

void expect_gradient_matches_differences(const std::string& family, const PosteriorOptions& base,
                                         const Complexity& complexity, const ParameterLayout& layout)
{
    PosteriorOptions options = base;
    options.family           = family;
    const auto posterior     = make_posterior<double>(layout, options, some_means(layout.size()));
    Draw<double> draw        = posterior->make_draw();
    posterior->draw({3, Stream::weight_noise, 1}, draw);
    const auto got = gradient_of<double>(*posterior, draw, loss_gradient(draw.weights), complexity);
    for (std::size_t j = 0; j < got.size(); ++j) {
        const double want = difference(*posterior, draw, complexity, j);
        EXPECT_NEAR(got[j], want, 1e-7 * (1 + std::fabs(want)))
            << family << ", parameter " << j << " of " << got.size();
    }
}

PosteriorOptions spread_options()
{
    return {.initial_sd = 0.3, .initial_tau = {0.4, 0.15}, .initial_rho = {0.3, -0.45}};
}

TEST(PosteriorGradient, IsTheDerivativeOfTheLossForEveryFamily)
{
    const auto layout = layout_with({30, 5, 12, 1, 2});
    for (const std::string& family : every_family)
        expect_gradient_matches_differences(family, spread_options(), {}, layout);
}

TEST(PosteriorGradient, IncludesTheClosedKlOfGaussianPriors)
{
    const auto layout = layout_with({30, 5, 12, 1, 2});
    const Prior prior = gaussian_prior(layout);
    for (const std::string& family : every_family)
        expect_gradient_matches_differences(family, spread_options(), {.prior = &prior, .weight = 0.3}, layout);
}

TEST(PosteriorGradient, IncludesTheSampledComplexityOfGaussianPriors)
{
    const auto layout = layout_with({30, 5, 12, 1, 2});
    const Prior prior = gaussian_prior(layout);
    for (const std::string& family : every_family)
        expect_gradient_matches_differences(
            family, spread_options(), {.prior = &prior, .kind = Complexity::Kind::sampled, .weight = 0.3}, layout);
}

TEST(PosteriorGradient, IncludesTheSampledComplexityOfScaleMixtures)
{
    const auto layout = layout_with({30, 5, 12, 1, 2});
    const Prior prior = mixture_prior(layout);
    for (const std::string& family : every_family)
        expect_gradient_matches_differences(
            family, spread_options(), {.prior = &prior, .kind = Complexity::Kind::sampled, .weight = 0.3}, layout);
}

TEST(PosteriorGradient, FollowsAPriorMeanGivenWeightByWeight)
{
    const auto layout = layout_with({9, 4});
    Prior prior       = gaussian_prior(layout);
    for (std::size_t i = 0; i < layout.size(); ++i)
        prior.means.push_back(0.1 * static_cast<double>(i) - 0.5);
    for (const std::string family : {"mean_field", "layer_scale", "tridiagonal"})
        for (const auto kind : {Complexity::Kind::closed, Complexity::Kind::sampled})
            expect_gradient_matches_differences(family, spread_options(),
                                                {.prior = &prior, .kind = kind, .weight = 0.5}, layout);
}

TEST(PosteriorGradient, HasWeightDecayForPointEstimates)
{
    const auto layout = layout_with({30, 5});
    for (const std::string family : {"point_estimate", "bernoulli_dropout"})
        expect_gradient_matches_differences(family, {}, {.l2 = 0.7}, layout);
}

TEST(PosteriorGradient, HasASeparateWeightDecayInEachBlock)
{
    const auto layout               = layout_with({30, 5, 12, 1});
    const std::vector<double> decay = {0.7, 0.7, 0, 3};
    for (const std::string family : {"point_estimate", "bernoulli_dropout"})
        expect_gradient_matches_differences(family, {}, {.block_l2 = decay}, layout);
}

TEST(PosteriorGradient, HoldsAtTheEdgesOfTauAndRho)
{
    const auto layout = layout_with({40, 3});
    const Prior prior = gaussian_prior(layout);
    for (const double tau : {0.01, 3.0})
        for (const double rho : {0.0, 1e-9, -1e-9, 0.4999, -0.4999}) {
            const PosteriorOptions options{.initial_tau = {tau}, .initial_rho = {rho}};
            expect_gradient_matches_differences("tridiagonal", options, {.prior = &prior, .weight = 0.3}, layout);
        }
}

TEST(PosteriorGradient, HoldsInBlocksOfOneAndTwoWeights)
{
    const auto layout = layout_with({1, 2, 1});
    const Prior prior = gaussian_prior(layout);
    for (const std::string family : {"layer_scale", "tridiagonal"})
        expect_gradient_matches_differences(family, spread_options(), {.prior = &prior, .weight = 0.3}, layout);
    const auto posterior = make_posterior<double>(layout, {.family = "tridiagonal", .initial_rho = {0.3}},
                                                  some_means(4));
    Draw<double> draw    = posterior->make_draw();
    posterior->draw({3, Stream::weight_noise, 1}, draw);
    const auto gradient = gradient_of<double>(*posterior, draw, loss_gradient(draw.weights),
                                              {.prior = &prior, .weight = 0.3});
    EXPECT_EQ(gradient[4 + 3 + 0], 0.0) << "γ of a block of one weight";
    EXPECT_NE(gradient[4 + 3 + 1], 0.0);
}

TEST(PosteriorGradient, OfManyPiecesIsTheGradientOfEachWeightAlone)
{
    // Longer than a chunk, so that pieces and chunks have borders inside a block. The naive formula knows neither.
    const std::size_t K  = 2 * elementwise_chunk + 700;
    const auto layout    = layout_with({300, K});
    const auto posterior = make_posterior<double>(
        layout, {.family = "tridiagonal", .initial_tau = {0.4}, .initial_rho = {0.2}}, some_means(300 + K));
    Draw<double> draw = posterior->make_draw();
    posterior->draw({5, Stream::weight_noise, 2}, draw);
    const auto g        = loss_gradient(draw.weights);
    const auto gradient = gradient_of<double>(*posterior, draw, g, {});
    const auto m        = posterior->parameters();
    for (std::size_t i = 0; i < layout.size(); ++i)
        ASSERT_NEAR(gradient[i], g[i] * draw.weights[i] / m[i], 1e-12)
            << "weight " << i;   // w = m(1 + τe), so ∂L/∂m = g w/m
    double delta = 0;
    for (std::size_t i = 300; i < layout.size(); ++i)
        delta += g[i] * (draw.weights[i] - m[i]);
    const double tau = 0.4, w_delta = -std::expm1(-tau);   // σ(δ) = 1 - e^{-softplus(δ)}
    EXPECT_NEAR(gradient[layout.size() + 1], w_delta / tau * delta, 1e-9);
}

TEST(PosteriorGradient, KappaMultipliesTheWholeGammaGradientAndNothingElse)
{
    const auto layout    = layout_with({20, 4});
    const Prior prior    = gaussian_prior(layout);
    const auto posterior = make_posterior<double>(layout, {.family = "tridiagonal", .initial_rho = {0.2, -0.3}},
                                                  some_means(24));
    Draw<double> draw    = posterior->make_draw();
    posterior->draw({5, Stream::weight_noise, 2}, draw);
    const auto g    = loss_gradient(draw.weights);
    const auto one  = gradient_of<double>(*posterior, draw, g, {.prior = &prior, .weight = 0.1});
    const auto many = gradient_of<double>(*posterior, draw, g, {.prior = &prior, .weight = 0.1, .kappa = 50});
    for (std::size_t j = 0; j < 26; ++j)
        EXPECT_EQ(many[j], one[j]);
    for (std::size_t j = 26; j < 28; ++j)
        EXPECT_DOUBLE_EQ(many[j], 50 * one[j]);
}

TEST(PosteriorGradient, LimitClipsEachKlDerivativeBeforeWeighting)
{
    const auto layout = layout_with({20, 4});
    const Prior prior = Prior::same(layout, GaussianPrior::from_sigma(0.05));
    for (const std::string family : {"mean_field", "layer_scale", "tridiagonal"})
        for (const auto kind : {Complexity::Kind::closed, Complexity::Kind::sampled}) {
            PosteriorOptions options = spread_options();
            options.family           = family;
            const auto posterior     = make_posterior<double>(layout, options, some_means(24));
            Draw<double> draw        = posterior->make_draw();
            posterior->draw({5, Stream::weight_noise, 2}, draw);
            const std::vector<double> none(24, 0.0);
            const auto whole   = gradient_of<double>(*posterior, draw, none,
                                                   {.prior = &prior, .kind = kind, .weight = 1});
            const auto clipped = gradient_of<double>(*posterior, draw, none,
                                                     {.prior = &prior, .kind = kind, .weight = 0.5, .limit = 20});
            int reached        = 0;
            for (std::size_t j = 0; j < whole.size(); ++j) {
                EXPECT_NEAR(clipped[j], 0.5 * std::clamp(whole[j], -20.0, 20.0), 1e-12)
                    << family << ", parameter " << j;
                reached += std::fabs(whole[j]) > 20;
            }
            EXPECT_GT(reached, 0);
        }
}

TEST(PosteriorGradient, InFloatAgreesWithDouble)
{
    const auto layout = layout_with({3000, 50, 7});
    for (const std::string& family : every_family)
        for (const auto kind : {Complexity::Kind::closed, Complexity::Kind::sampled}) {
            const Prior prior = kind == Complexity::Kind::closed ? gaussian_prior(layout) : mixture_prior(layout);
            PosteriorOptions options = spread_options();
            options.family           = family;
            const auto exact         = make_posterior<double>(layout, options, some_means(layout.size()));
            const auto fast          = make_posterior<float>(layout, options, some_means(layout.size()));
            Draw<float> fast_draw    = fast->make_draw();
            fast->draw({5, Stream::weight_noise, 2}, fast_draw);
            Draw<double> exact_draw = exact->make_draw();
            std::copy(fast_draw.noise.begin(), fast_draw.noise.end(), exact_draw.noise.begin());
            exact->transform(exact_draw);
            const auto g = loss_gradient(exact_draw.weights);
            const Complexity complexity{.prior = &prior, .kind = kind, .weight = 0.1};
            const auto want = gradient_of<double>(*exact, exact_draw, g, complexity);
            const auto got  = gradient_of<float>(*fast, fast_draw, std::vector<float>(g.begin(), g.end()), complexity);
            for (std::size_t j = 0; j < want.size(); ++j) {
                const double scale = j < layout.size() || family == "mean_field" ? 1 + std::fabs(want[j])
                                                                                 : 30 + std::fabs(want[j]);
                ASSERT_NEAR(got[j], want[j], 3e-6 * scale) << family << ", parameter " << j;
            }
        }
}

TEST(PosteriorGradient, RejectsAClosedKlToAScaleMixture)
{
    const auto layout = layout_with({6, 2});
    const Prior prior = mixture_prior(layout);
    for (const std::string family : {"mean_field", "layer_scale", "tridiagonal"}) {
        const auto posterior = make_posterior<double>(layout, {.family = family}, some_means(8));
        Draw<double> draw    = posterior->make_draw();
        posterior->draw({5, Stream::weight_noise, 2}, draw);
        try {
            gradient_of<double>(*posterior, draw, std::vector<double>(8), {.prior = &prior, .weight = 1});
            FAIL() << family << " accepted it";
        } catch (const Error& error) {
            EXPECT_EQ(error.field(), "training.complexity");
            EXPECT_STREQ(
                error.what(),
                "training.complexity is closed, but the scale mixture prior of block \"dense 1 weights\" has no "
                "closed KL; "
                "expected sampled.");
        }
        EXPECT_FALSE(posterior->kl(prior).has_value());
    }
}

}   // namespace
}   // namespace credence::testing
