// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/langevin.h"

#include "foundation/parallel.h"
#include "training/optimizer.h"
#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

namespace credence {
namespace {

constexpr std::size_t n_chains = 100'000;

double mean_square(const std::vector<float>& theta)
{
    return std::accumulate(theta.begin(), theta.end(), 0.0,
                           [](double sum, float t) { return sum + static_cast<double>(t) * static_cast<double>(t); })
           / static_cast<double>(theta.size());
}

/// Of a mean of squares of n_chains independent Gaussians: four standard errors.
double monte_carlo_error(double variance) { return 4 * variance * std::sqrt(2.0 / n_chains); }

/// Var θ of many chains after `steps` steps on U = λθ²/2, seen through gradients with noise of variance V.
double variance_of_chains(const LangevinOptions& options, double rate, double lambda, double V, int steps)
{
    Langevin<float> chain(options, {.seed = 4}, n_chains);
    std::vector<float> theta(n_chains, 0.5f), gradient(n_chains);
    for (int t = 0; t < steps; ++t) {
        standard_normals({9, Stream::data, static_cast<std::uint32_t>(t)}, 0, std::span<float>(gradient));
        for (std::size_t k = 0; k < n_chains; ++k)
            gradient[k] = static_cast<float>(lambda) * theta[k] + static_cast<float>(std::sqrt(V)) * gradient[k];
        chain.begin_step(rate);
        parallel_chunks(n_chains, elementwise_chunk, [&](std::size_t begin, std::size_t end) {
            chain.apply(begin, std::span<const float>(gradient).subspan(begin, end - begin), theta);
        });
    }
    return mean_square(theta);
}

struct GaussianTarget {
    double lambda, epsilon, V;
};
constexpr GaussianTarget targets[] = {{1, 0.1, 0}, {2, 0.5, 3}, {0.5, 1, 1}};

TEST(Langevin, SgldHasTheVarianceThatItsStepAndTheNoiseOfTheGradientGiveIt)
{
    for (const auto& [lambda, epsilon, V] : targets) {
        const double want = (1 + epsilon * V / 4) / (lambda * (1 - epsilon * lambda / 4));
        EXPECT_NEAR(variance_of_chains({.kind = LangevinKind::sgld}, epsilon / 2, lambda, V, 150), want,
                    monte_carlo_error(want));
    }
}

TEST(Langevin, PsgldWithAFixedPreconditionerIsSgldWithItsStepTimesIt)
{
    constexpr double D = 0.5;
    for (const auto& [lambda, epsilon, V] : targets) {
        const double step = epsilon * D, want = (1 + step * V / 4) / (lambda * (1 - step * lambda / 4));
        const LangevinOptions options{.kind = LangevinKind::psgld, .rms_decay = 1, .rms_floor = 1 / D};   // V stays 0
        EXPECT_NEAR(variance_of_chains(options, epsilon / 2, lambda, V, 250), want, monte_carlo_error(want));
    }
}

double sghmc_variance(double alpha, double estimate, const GaussianTarget& of)
{
    const auto& [lambda, epsilon, V] = of;
    return (2 * alpha + epsilon * V - 2 * estimate) * (2 - alpha)
           / (alpha * lambda * (4 - 2 * alpha - epsilon * lambda));
}

TEST(Langevin, SghmcHasTheVarianceOfItsFormula)
{
    struct {
        double alpha, estimate;
        GaussianTarget target;
    } constexpr settings[] = {{0.1, 0, {1, 0.01, 0}}, {0.3, 0, {2, 0.05, 4}}, {0.5, 0.05, {0.5, 0.2, 1}}};
    for (const auto& [alpha, estimate, target] : settings) {
        const LangevinOptions options{.kind = LangevinKind::sghmc, .friction = alpha, .noise_of_gradient = estimate};
        const double want = sghmc_variance(alpha, estimate, target);
        EXPECT_NEAR(variance_of_chains(options, target.epsilon, target.lambda, target.V, 300), want,
                    monte_carlo_error(want));
    }
}

TEST(Langevin, AnEstimateOfHalfTheGradientsNoiseTakesItOutOfSghmc)
{
    constexpr GaussianTarget noisy{1, 0.05, 6}, quiet{1, 0.05, 0};
    constexpr double alpha = 0.3, estimate = noisy.epsilon * noisy.V / 2;
    EXPECT_NEAR(sghmc_variance(alpha, estimate, noisy), sghmc_variance(alpha, 0, quiet), 1e-12);
    const double want = sghmc_variance(alpha, 0, quiet);
    EXPECT_NEAR(variance_of_chains({.kind = LangevinKind::sghmc, .friction = alpha, .noise_of_gradient = estimate},
                                   noisy.epsilon, noisy.lambda, noisy.V, 300),
                want, monte_carlo_error(want));
}

TEST(Langevin, TemperatureMultipliesTheVariance)
{
    for (const LangevinKind kind : {LangevinKind::sgld, LangevinKind::sghmc}) {
        const double want = 0.25
                            * (kind == LangevinKind::sgld ? 1 / (1 - 0.1 / 4) : sghmc_variance(0.3, 0, {1, 0.05, 0}));
        EXPECT_NEAR(variance_of_chains({.kind = kind, .temperature = 0.25, .friction = 0.3}, 0.05, 1, 0, 300), want,
                    monte_carlo_error(want));
    }
}

TEST(Langevin, FuncRldAsPrintedIsTemperedAndItsMatchedPairsAreNot)
{
    constexpr double eta = 0.2;
    for (const double G : {0.04, 1.0, 25.0})
        for (const auto noise : {FuncRldNoise::as_printed, FuncRldNoise::matched_half, FuncRldNoise::matched_full}) {
            const float D = static_cast<float>(1 / std::sqrt(G));
            const FuncRldStep<float> step{.eta = noise == FuncRldNoise::matched_full ? 0.01f : 0.2f,
                                          .s = noise == FuncRldNoise::matched_full ? std::sqrt(0.02f) : std::sqrt(0.4f),
                                          .n_examples  = 1,
                                          .beta1       = 0,
                                          .beta2       = 1,
                                          .correction1 = 1,
                                          .correction2 = 1,
                                          .epsilon     = 0,
                                          .noise       = noise};
            constexpr std::size_t few = 20'000;
            std::vector<float> lambda(few), m(few), squares(few, static_cast<float>(G)), xi(few);
            const int steps = noise == FuncRldNoise::matched_full && G > 1 ? 6000 : 400;
            for (int t = 0; t < steps; ++t) {
                standard_normals({9, Stream::data, static_cast<std::uint32_t>(t)}, 0, std::span<float>(xi));
                sgfuncrld_update<float>(step, lambda, xi, m, squares, lambda);
            }
            const double drift = noise == FuncRldNoise::matched_full ? 0.01 * D * D : eta * D;
            const double want  = (noise == FuncRldNoise::as_printed ? D : 1) / (1 - drift / 2);
            EXPECT_NEAR(mean_square(lambda), want, 4 * want * std::sqrt(2.0 / few))
                << G << ' ' << static_cast<int>(noise);
        }
}

/// Twenty steps of something that moves 3,000 parameters along a gradient of sines.
template <class T>
std::vector<T> path_of(Updater<T>& updater, std::size_t piece = 1024)
{
    constexpr std::size_t n = 3000;
    const auto start        = normals<float>(n, 3);
    std::vector<T> theta(start.begin(), start.end()), gradient(n);
    for (int t = 0; t < 20; ++t) {
        for (std::size_t k = 0; k < n; ++k)
            gradient[k] = std::sin(T(3) * theta[k]) + theta[k];
        updater.begin_step(0.01);
        for (std::size_t first = 0; first < n; first += piece)
            updater.apply(first, std::span<const T>(gradient).subspan(first, std::min(piece, n - first)), theta);
    }
    return theta;
}

template <class T>
std::vector<T> chain_path(const LangevinOptions& options, std::size_t piece = 1024,
                          std::vector<RateFactor> factors = {})
{
    Langevin<T> chain(options, {.seed = 7, .n_examples = 100, .batch_size = 10}, 3000, std::move(factors));
    return path_of<T>(chain, piece);
}

TEST(Langevin, AtTemperatureZeroSgldIsSgdAndSghmcIsMomentumBitForBit)
{
    Optimizer<float> sgd({.kind = OptimizerKind::sgd}, 3000);
    EXPECT_EQ(chain_path<float>({.kind = LangevinKind::sgld, .temperature = 0}), path_of<float>(sgd));
    Optimizer<float> momentum({.kind = OptimizerKind::momentum, .momentum = 1 - 0.1}, 3000);
    EXPECT_EQ(chain_path<float>({.kind = LangevinKind::sghmc, .temperature = 0, .friction = 0.1}),
              path_of<float>(momentum));
}

constexpr LangevinKind every_kind[] = {LangevinKind::sgld, LangevinKind::psgld, LangevinKind::sghmc,
                                       LangevinKind::sgfuncrld};

TEST(Langevin, AStepInPiecesEqualsTheWholeStep)
{
    for (const LangevinKind kind : every_kind)
        for (const std::size_t piece : {64, 1000, 3000})
            EXPECT_EQ(chain_path<double>({.kind = kind}, piece), chain_path<double>({.kind = kind}, 1024));
}

TEST(Langevin, InFloatWithoutNoiseFollowsDouble)
{
    for (const LangevinKind kind : every_kind) {
        const auto in_double = chain_path<double>({.kind = kind, .temperature = 0});
        const auto in_float  = chain_path<float>({.kind = kind, .temperature = 0});
        for (std::size_t k = 0; k < in_double.size(); ++k)
            ASSERT_NEAR(in_float[k], in_double[k], 2e-4) << static_cast<int>(kind) << ' ' << k;
    }
}

TEST(Langevin, AWeightsLearningRateAlsoScalesItsNoise)
{
    const auto still = chain_path<double>({.kind = LangevinKind::sgld}, 1024, {{10, 20, 0}});
    const auto plain = chain_path<double>({.kind = LangevinKind::sgld});
    const auto start = normals<float>(3000, 3);
    for (std::size_t k = 0; k < 30; ++k)
        EXPECT_EQ(still[k], k >= 10 && k < 20 ? static_cast<double>(start[k]) : plain[k]) << k;
}

/// g(θ) = g0 + hθ, so that h = ∂g/∂θ; D of the new V, as a function of θ.
TEST(Langevin, TheTermOfCurvatureIsTheDerivativeOfThePreconditioner)
{
    constexpr double V0 = 0.3, g0 = 0.7, alpha = 0.9, floor = 0.01, m = 20;
    const double V            = alpha * V0 + (1 - alpha) * g0 * g0;
    const double h            = m * V;   // the replacement of the second derivative
    const auto preconditioner = [&](double theta) {
        const double g = g0 + h * theta;
        return 1 / (floor + std::sqrt(alpha * V0 + (1 - alpha) * g * g));
    };
    const double step = 1e-6, slope = (preconditioner(step) - preconditioner(-step)) / (2 * step);
    const auto moved = [&](bool with_term) {
        std::vector<double> square{V0}, theta{0};
        const PsgldStep<double> of{0.1, 0, alpha, floor, with_term ? 0.1 * (1 - alpha) * m : 0};
        psgld_update<double>(of, std::vector{g0}, std::vector{g0}, {}, square, theta);
        return theta[0];
    };
    EXPECT_NEAR((moved(true) - moved(false)) / 0.1, slope, 1e-6 * std::fabs(slope));
}

TEST(Langevin, ACycleIsNoisyInItsLastPartOnly)
{
    const LangevinOptions options{.cycle = 10, .noisy_share = 0.3};
    for (long i = 0; i < 40; ++i)
        EXPECT_EQ(noisy_at(options, i), i % 10 >= 7) << i;
    EXPECT_TRUE(noisy_at({}, 0));
    EXPECT_FALSE(noisy_at({.temperature = 0}, 5));
}

}   // namespace
}   // namespace credence
