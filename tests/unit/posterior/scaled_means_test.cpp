// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/neighbour_correlation.h"
#include "posterior/scaled_means.h"
#include "posteriors.h"

#include <Eigen/Dense>
#include <gmock/gmock.h>

namespace credence::testing {
namespace {

struct StoredPrefix {
    std::vector<double> t, s, t_dot, s_dot;
    CorrelationPrefix<double> prefix;

    StoredPrefix(double rho, std::size_t K)
        : t(correlation_prefix_capacity(rho, K)), s(t), t_dot(t),
          s_dot(t), prefix{t.data(), s.data(), t_dot.data(), s_dot.data()}
    {
        fill_correlation_prefix(rho, K, prefix);
    }
};

Eigen::MatrixXd correlation_matrix(double rho, Eigen::Index K)
{
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(K, K);
    for (Eigen::Index i = 0; i + 1 < K; ++i)
        matrix(i, i + 1) = matrix(i + 1, i) = rho;
    return matrix;
}

TEST(NeighbourCorrelation, IsTheCholeskyFactorOfTheCorrelationMatrix)
{
    for (const double rho : {0.0, 0.1, -0.3, 0.49, -0.4999})
        for (const Eigen::Index K : {1, 2, 3, 40}) {
            const Eigen::MatrixXd L = correlation_matrix(rho, K).llt().matrixL();
            const StoredPrefix stored(rho, static_cast<std::size_t>(K));
            for (Eigen::Index i = 0; i < K; ++i) {
                const auto j = std::min(static_cast<std::size_t>(i), stored.prefix.length - 1);
                EXPECT_NEAR(stored.t[j], L(i, i), 1e-12) << "rho " << rho << ", K " << K << ", i " << i;
                if (i + 1 < K) {
                    EXPECT_NEAR(stored.s[j], L(i + 1, i), 1e-12) << "rho " << rho << ", K " << K << ", i " << i;
                }
            }
            EXPECT_NEAR(log_det_correlation(rho, static_cast<std::size_t>(K)),
                        std::log(correlation_matrix(rho, K).determinant()), 1e-10);
        }
}

TEST(NeighbourCorrelation, DerivativesAreDifferences)
{
    constexpr double h = 1e-5;
    for (const double rho : {0.01, -0.2, 0.44, 0.49}) {
        const std::size_t K = 60;
        const StoredPrefix here(rho, K), left(rho - h, K), right(rho + h, K);
        const auto at = [](const std::vector<double>& values, const StoredPrefix& of, std::size_t i) {
            return values[std::min(i, of.prefix.length - 1)];
        };
        for (std::size_t i = 0; i < K; ++i) {
            EXPECT_NEAR(at(here.t_dot, here, i), (at(right.t, right, i) - at(left.t, left, i)) / (2 * h), 1e-4)
                << rho << " " << i;
            EXPECT_NEAR(at(here.s_dot, here, i), (at(right.s, right, i) - at(left.s, left, i)) / (2 * h), 1e-4)
                << rho << " " << i;
        }
        EXPECT_NEAR(here.prefix.d_log_det,
                    (log_det_correlation(rho + h, K) - log_det_correlation(rho - h, K)) / (2 * h), 1e-3)
            << rho;
    }
}

TEST(NeighbourCorrelation, AgreesWithTheClosedFormWithoutRecursion)
{
    // s = √(1-4ρ²), λ± = (1±s)/2, q = λ-/λ+: r_i² = λ-(1-q^i)/(1-q^{i+1}), D_K = λ+^K (1-q^{K+1})/(1-q)
    for (const double rho : {0.05, -0.3, 0.45, 0.499}) {
        const double root = std::sqrt(1 - 4 * rho * rho), high = (1 + root) / 2, low = 2 * rho * rho / (1 + root),
                     q       = low / high;
        const std::size_t K  = 5000;
        const auto r_squared = squared_correlations(rho, K);
        for (const std::size_t i : {std::size_t{1}, std::size_t{2}, std::size_t{30}, K - 1}) {
            const double n = static_cast<double>(i);
            EXPECT_NEAR(r_squared[i], low * (1 - std::pow(q, n)) / (1 - std::pow(q, n + 1)), 1e-13);
        }
        const double n       = static_cast<double>(K),
                     log_det = n * std::log(high) + std::log1p(-std::pow(q, n + 1)) - std::log1p(-q);
        EXPECT_NEAR(log_det_correlation(rho, K), log_det, 1e-11 * std::fabs(log_det));
        const double slope = 4 * rho / (root * root)
                             - 2 * rho / root * (n + 1) * (1 + std::pow(q, n)) / (high * (1 - std::pow(q, n + 1)));
        EXPECT_NEAR(StoredPrefix(rho, K).prefix.d_log_det, slope, 1e-10 * std::fabs(slope));
    }
}

TEST(NeighbourCorrelation, StopsStoringOnceValuesAreConstant)
{
    EXPECT_EQ(StoredPrefix(0, 100000).prefix.length, 1u);
    EXPECT_LT(StoredPrefix(0.1, 100000).prefix.length, 20u);
    EXPECT_LT(StoredPrefix(0.44, 100000).prefix.length, 80u);
    EXPECT_LT(StoredPrefix(0.49995460213129755, 100000).prefix.length, 2048u);   // |γ| = 10
    EXPECT_LT(StoredPrefix(-0.49996, 100000).prefix.length, 2048u);
}

TEST(NeighbourCorrelation, AtOneHalfExactlyHasNoTail)
{
    const std::size_t K  = 3000;
    const auto r_squared = squared_correlations(0.5, K);
    for (const std::size_t i : {1, 2, 10, 2999})
        EXPECT_NEAR(r_squared[i], static_cast<double>(i) / (2.0 * (static_cast<double>(i) + 1)), 1e-13);
    const StoredPrefix stored(0.5, K);
    EXPECT_EQ(stored.prefix.length, K);
    EXPECT_NEAR(stored.t[K - 1], std::sqrt(1 - r_squared[K - 1]), 1e-15);
    EXPECT_NEAR(log_det_correlation(0.5, K),
                std::log(static_cast<double>(K) + 1) - static_cast<double>(K) * std::log(2.0),
                1e-8);   // D_K = (K+1)/2^K
}

TEST(Tridiagonal, PrintedFactorTimesItsTransposeIsTheCovariance)
{
    const auto layout = layout_with({9});
    const Tridiagonal<double> posterior(layout, {.family = "tridiagonal", .initial_tau = {0.3}, .initial_rho = {-0.4}},
                                        some_means(9));
    const auto factor     = posterior.neighbour_factor(0);
    const auto covariance = posterior.neighbour_covariance(0);
    Eigen::MatrixXd L     = Eigen::MatrixXd::Zero(9, 9);
    for (Eigen::Index i = 0; i < 9; ++i) {
        L(i, i) = factor.diagonal[static_cast<std::size_t>(i)];
        if (i < 8)
            L(i + 1, i) = factor.subdiagonal[static_cast<std::size_t>(i)];
    }
    const Eigen::MatrixXd product = L * L.transpose();
    const auto m                  = posterior.parameters();
    for (std::size_t i = 0; i < 9; ++i)
        for (std::size_t j = 0; j < 9; ++j) {
            const double want = i == j                     ? 0.09 * m[i] * m[i]
                                : i + 1 == j || j + 1 == i ? -0.4 * 0.09 * std::fabs(m[i] * m[j])
                                                           : 0;
            EXPECT_NEAR(product(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)), want, 1e-14)
                << i << ", " << j;
        }
    for (std::size_t i = 0; i < 9; ++i)
        EXPECT_NEAR(covariance.diagonal[i], product(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)), 1e-15);
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_NEAR(covariance.off_diagonal[i], product(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i) + 1),
                    1e-15);
    EXPECT_NEAR(covariance.log_determinant, std::log(product.determinant()), 1e-10);
}

TEST(Tridiagonal, WithoutCorrelationHasTheDistributionOfLayerScale)
{
    const auto layout = layout_with({40, 7});
    const Prior prior = gaussian_prior(layout);
    const PosteriorOptions options{.family = "tridiagonal", .initial_rho = {0}};
    const auto correlated  = make_posterior<double>(layout, options, some_means(47));
    const auto independent = make_posterior<double>(layout, {.family = "layer_scale"}, some_means(47));
    EXPECT_NEAR(*correlated->kl(prior), *independent->kl(prior), 1e-11);
    Draw<double> a = correlated->make_draw(), b = independent->make_draw();
    correlated->draw({1, Stream::weight_noise, 0}, a);
    independent->draw({1, Stream::weight_noise, 0}, b);
    const auto m = correlated->parameters();
    for (std::size_t i = 0; i < 47; ++i)   // the printed signs turn the noise by the sign of the next mean
        EXPECT_NEAR(std::fabs(a.weights[i] - m[i]), std::fabs(b.weights[i] - m[i]), 1e-14);
}

TEST(Tridiagonal, ASampleIsMeansPlusFactorTimesNoise)
{
    const std::size_t K = elementwise_chunk + 1500;
    const auto layout   = layout_with({K});
    for (const double rho : {0.44, 0.49999, -0.5 + 1e-9}) {
        const Tridiagonal<double> posterior(
            layout, {.family = "tridiagonal", .initial_tau = {0.3}, .initial_rho = {rho}}, some_means(K));
        Draw<double> draw = posterior.make_draw();
        posterior.draw({2, Stream::weight_noise, 0}, draw);
        const auto factor = posterior.neighbour_factor(0);
        const auto m      = posterior.parameters();
        for (std::size_t i = 0; i < K; ++i)
            ASSERT_NEAR(draw.weights[i],
                        m[i] + factor.diagonal[i] * draw.noise[i]
                            + (i > 0 ? factor.subdiagonal[i - 1] * draw.noise[i - 1] : 0),
                        1e-12)
                << i;
    }
}

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

TEST(Guards, OfDeltaAndMeansHaveLimitsOfTheirOwn)
{
    const auto layout  = layout_with({4, 2});
    const auto guarded = [&](const PosteriorOptions& options, double mean, double delta) {
        const auto posterior = make_posterior<double>(layout, options, some_means(6));
        const auto theta     = posterior->parameters();
        theta[0]             = mean;
        theta[6]             = delta;
        posterior->apply_guards(coins);
        return std::pair(std::fabs(theta[0]), theta[6]);
    };
    PosteriorOptions options{.family = "layer_scale"};
    EXPECT_EQ(guarded(options, 1e-9, -12), std::pair(1e-6, -4.600166));   // Posch and Pilz: the default
    options.guard_delta = -10;                                            // Steinbrener et al.
    EXPECT_EQ(guarded(options, 1e-9, -12), std::pair(1e-6, -10.0));
    EXPECT_EQ(guarded(options, 1e-6, -10), std::pair(1e-6, -10.0));
    EXPECT_EQ(guarded(options, -2e-6, -9.99), std::pair(2e-6, -9.99));
    options.guard_mean = 0;
    EXPECT_EQ(guarded(options, 1e-9, -12), std::pair(1e-9, -10.0));
    options.guard_mean   = 1e-3;
    options.guard_spread = false;   // switches both off
    EXPECT_EQ(guarded(options, 1e-9, -12), std::pair(1e-9, -12.0));
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
    EXPECT_EQ(PosteriorOptions{}.guard_delta, guard_smallest_delta);
    EXPECT_EQ(PosteriorOptions{}.guard_mean, guard_smallest_mean);
    EXPECT_NEAR(std::log1p(std::exp(-10.0)), 4.54e-5, 1e-8);   // Steinbrener et al. 2020, Tables 3 and 4
    EXPECT_NEAR(0.5 * std::tanh(guard_smallest_gamma / 2), 0.01, 1e-8);
    EXPECT_NEAR(0.5 * std::tanh(guard_largest_gamma / 2), 0.4999546, 1e-7);
}

}   // namespace
}   // namespace credence::testing
