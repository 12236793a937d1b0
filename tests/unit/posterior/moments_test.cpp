// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/scaled_means.h"
#include "posteriors.h"

#include <Eigen/Dense>
#include <gmock/gmock.h>

namespace credence::testing {
namespace {

/// The covariance of the whole weight vector, from the definition of each family.
Eigen::MatrixXd dense_covariance(const VariationalFamily<double>& posterior)
{
    const auto& layout         = posterior.layout();
    const auto layers          = posterior.describe();
    const auto n               = static_cast<Eigen::Index>(layout.size());
    const auto theta           = posterior.parameters();
    Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t b = 0; b < layout.blocks.size(); ++b)
        for (std::size_t i = layout.blocks[b].begin; i < layout.blocks[b].end(); ++i) {
            const auto row = static_cast<Eigen::Index>(i);
            if (!layers[b].tau) {   // mean field
                covariance(row, row) = std::pow(std::log1p(std::exp(theta[layout.size() + i])), 2);
                continue;
            }
            const double tau     = *layers[b].tau;
            covariance(row, row) = std::pow(tau * theta[i], 2);
            if (layers[b].rho && i + 1 < layout.blocks[b].end())
                covariance(row, row + 1) = covariance(row + 1, row) = *layers[b].rho * tau * tau
                                                                      * std::fabs(theta[i] * theta[i + 1]);
        }
    return covariance;
}

/// KL(N(m, Σ) ‖ N(μ, S)) = ½ [tr(S⁻¹Σ) + (m-μ)ᵀS⁻¹(m-μ) - n + ln det S - ln det Σ], S diagonal.
double dense_kl(const VariationalFamily<double>& posterior, const Prior& prior)
{
    const Eigen::MatrixXd covariance = dense_covariance(posterior);
    const auto& layout               = posterior.layout();
    double kl                        = -std::log(covariance.determinant()) - static_cast<double>(layout.size());
    for (std::size_t b = 0; b < layout.blocks.size(); ++b)
        for (std::size_t i = layout.blocks[b].begin; i < layout.blocks[b].end(); ++i) {
            const auto& gaussian  = std::get<GaussianPrior>(prior.blocks[b]);
            const double variance = gaussian.sd * gaussian.sd, distance = posterior.parameters()[i] - gaussian.mean;
            const auto row = static_cast<Eigen::Index>(i);
            kl += (covariance(row, row) + distance * distance) / variance + std::log(variance);
        }
    return 0.5 * kl;
}

PosteriorOptions correlated_options(const std::string& family)
{
    return {.family = family, .initial_sd = 0.3, .initial_tau = {0.4, 0.15}, .initial_rho = {0.35, -0.45}};
}

const std::string spread_families[] = {"mean_field", "layer_scale", "tridiagonal"};

TEST(PosteriorMoments, KlIsThatOfTheDenseGaussians)
{
    const auto layout = layout_with({25, 6, 1, 2});
    const Prior prior = gaussian_prior(layout);
    for (const std::string& family : spread_families) {
        const auto posterior = make_posterior<double>(layout, correlated_options(family), some_means(layout.size()));
        EXPECT_NEAR(*posterior->kl(prior), dense_kl(*posterior, prior), 1e-9) << family;
    }
}

TEST(PosteriorMoments, KlToItselfIsZero)
{
    const auto layout = layout_with({1, 1});   // blocks of one weight: layer_scale can equal its prior
    const std::vector<float> means{0.5f, -2.0f};
    Prior prior;
    prior.blocks = {GaussianPrior{0.5, 0.4 * 0.5}, GaussianPrior{-2.0, 0.1 * 2.0}};
    for (const std::string family : {"layer_scale", "tridiagonal"})
        EXPECT_NEAR(*make_posterior<double>(layout, {.family = family}, means)->kl(prior), 0, 1e-12);
    prior.blocks = {GaussianPrior{0.5, 0.05}, GaussianPrior{-2.0, 0.05}};
    EXPECT_NEAR(*make_posterior<double>(layout, {.family = "mean_field", .initial_sd = 0.05}, means)->kl(prior), 0,
                1e-12);
}

TEST(PosteriorMoments, KlInFloatAgreesWithDouble)
{
    const auto layout = layout_with({20000, 100});
    const Prior prior = gaussian_prior(layout);
    for (const std::string& family : spread_families) {
        const double want = *make_posterior<double>(layout, correlated_options(family), some_means(layout.size()))
                                 ->kl(prior);
        EXPECT_NEAR(*make_posterior<float>(layout, correlated_options(family), some_means(layout.size()))->kl(prior),
                    want, 1e-6 * want)
            << family;
    }
}

TEST(PosteriorMoments, SampledComplexityIsLogDensityOfTheSampleUnderBoth)
{
    const auto layout = layout_with({12, 4, 1});
    for (const std::string& family : spread_families)
        for (const Prior& prior : {gaussian_prior(layout), mixture_prior(layout)}) {
            const auto posterior = make_posterior<double>(layout, correlated_options(family),
                                                          some_means(layout.size()));
            Draw<double> draw    = posterior->make_draw();
            posterior->draw({9, Stream::weight_noise, 4}, draw);
            const Eigen::MatrixXd covariance = dense_covariance(*posterior);
            Eigen::VectorXd distance(17);
            double log_prior = 0;
            for (std::size_t b = 0; b < layout.blocks.size(); ++b)
                for (std::size_t i = layout.blocks[b].begin; i < layout.blocks[b].end(); ++i) {
                    distance(static_cast<Eigen::Index>(i)) = draw.weights[i] - posterior->parameters()[i];
                    log_prior += log_density(prior.blocks[b], draw.weights[i]);
                }
            const double log_q = -0.5 * distance.dot(covariance.ldlt().solve(distance))
                                 - 0.5 * std::log(covariance.determinant()) - 0.5 * 17 * std::log(2 * M_PI);
            EXPECT_NEAR(*posterior->sampled_complexity(draw, prior), log_q - log_prior, 1e-9) << family;
        }
}

TEST(PosteriorMoments, MeanSampledComplexityIsTheKl)
{
    const auto layout = layout_with({12, 4});
    const Prior prior = gaussian_prior(layout);
    for (const std::string& family : spread_families) {
        const auto posterior  = make_posterior<double>(layout, correlated_options(family), some_means(layout.size()));
        Draw<double> draw     = posterior->make_draw();
        constexpr int n_draws = 20000;
        double sum = 0, squares = 0;
        for (int s = 0; s < n_draws; ++s) {
            posterior->draw({9, Stream::weight_noise, static_cast<std::uint32_t>(s)}, draw);
            const double value = *posterior->sampled_complexity(draw, prior);
            sum += value;
            squares += value * value;
        }
        const double mean = sum / n_draws, error = std::sqrt((squares / n_draws - mean * mean) / n_draws);
        EXPECT_NEAR(mean, *posterior->kl(prior), 5 * error) << family;
    }
}

TEST(PosteriorMoments, DrawsHaveTheMeanAndCovarianceOfTheFamily)
{
    const auto layout = layout_with({7, 3});
    for (const std::string& family : spread_families) {
        const auto posterior   = make_posterior<double>(layout, correlated_options(family), some_means(layout.size()));
        Draw<double> draw      = posterior->make_draw();
        constexpr int n_draws  = 60000;
        Eigen::VectorXd mean   = Eigen::VectorXd::Zero(10);
        Eigen::MatrixXd second = Eigen::MatrixXd::Zero(10, 10);
        const Eigen::Map<const Eigen::VectorXd> m(posterior->parameters().data(), 10);
        for (int s = 0; s < n_draws; ++s) {
            posterior->draw({11, Stream::weight_noise, static_cast<std::uint32_t>(s)}, draw);
            const Eigen::VectorXd d = Eigen::Map<const Eigen::VectorXd>(draw.weights.data(), 10) - m;
            mean += d / n_draws;
            second += d * d.transpose() / n_draws;
        }
        const Eigen::MatrixXd want = dense_covariance(*posterior);
        for (Eigen::Index i = 0; i < 10; ++i) {
            EXPECT_NEAR(mean(i), 0, 5 * std::sqrt(want(i, i) / n_draws)) << family << ", weight " << i;
            for (Eigen::Index j = 0; j <= i; ++j)   // Var of a product of Gaussians: σ_ii σ_jj + σ_ij²
                EXPECT_NEAR(second(i, j), want(i, j),
                            5 * std::sqrt((want(i, i) * want(j, j) + want(i, j) * want(i, j)) / n_draws))
                    << family << ", weights " << i << " and " << j;
        }
    }
}

TEST(PosteriorMoments, MomentsAreMeanAndRootOfTheDiagonal)
{
    const auto layout = layout_with({25, 6, 1, 2});
    for (const std::string& family : spread_families) {
        const auto posterior = make_posterior<double>(layout, correlated_options(family), some_means(layout.size()));
        std::vector<float> mean(layout.size()), sd(layout.size());
        posterior->moments(mean, sd);
        const Eigen::MatrixXd covariance = dense_covariance(*posterior);
        for (std::size_t i = 0; i < layout.size(); ++i) {
            EXPECT_FLOAT_EQ(mean[i], static_cast<float>(posterior->parameters()[i]));
            EXPECT_FLOAT_EQ(sd[i], static_cast<float>(std::sqrt(
                                       covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)))));
        }
    }
}

TEST(PosteriorMoments, PointEstimatesDrawTheirMeanAndHaveNoDensity)
{
    const auto layout = layout_with({25, 6});
    const auto means  = some_means(31);
    for (const std::string family : {"point_estimate", "bernoulli_dropout"}) {
        const auto posterior = make_posterior<float>(layout, {.family = family}, means);
        Draw<float> draw     = posterior->make_draw();
        EXPECT_TRUE(draw.noise.empty());
        const NoiseKey key{1, Stream::weight_noise, 8};
        posterior->draw(key, draw);
        EXPECT_EQ(draw.key, key);
        EXPECT_THAT(draw.weights, ::testing::ElementsAreArray(means));
        EXPECT_FALSE(posterior->has_weight_noise());
        EXPECT_FALSE(posterior->kl(gaussian_prior(layout)).has_value());
        EXPECT_FALSE(posterior->sampled_complexity(draw, gaussian_prior(layout)).has_value());
    }
}

TEST(PosteriorMoments, NoiseOfASampleIsTheKeysSequenceOfNormals)
{
    const auto layout = layout_with({9000, 11});
    for (const std::string& family : spread_families) {
        const auto posterior = make_posterior<float>(layout, correlated_options(family), some_means(layout.size()));
        Draw<float> draw     = posterior->make_draw();
        const NoiseKey key{21, Stream::prediction, 3};
        posterior->draw(key, draw);
        std::vector<float> normals(layout.size());
        standard_normals(key, 0, normals);
        EXPECT_THAT(draw.noise, ::testing::ElementsAreArray(normals));
        const auto sampled = draw.weights;
        posterior->transform(draw);
        EXPECT_EQ(draw.weights, sampled) << "transform is the deterministic half of sample";
    }
}

}   // namespace
}   // namespace credence::testing
