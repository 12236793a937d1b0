// SPDX-License-Identifier: GPL-3.0-or-later
// Simulation-based calibration: weights from the prior, data from the weights, chains on the data.
// The rank of the true value among the draws is uniform if the sampler is correct, and not
// otherwise. The true value is a draw of the posterior at a random position in a chain: the chain
// runs from there some steps forwards and, since a reversible chain looks the same backwards, the
// remaining steps as another chain. The distribution is then exact however slowly it mixes.
// Source: Talts, Betancourt, Simpson, Vehtari and Gelman 2018; Gandy and Scott 2020
#include "chains/network_density.h"

#include "chains.h"
#include "unit/random_values.h"

#include <array>

namespace credence::testing {
namespace {

constexpr int simulations = 400, draws = 63, thinning = 3, bins = 8;
constexpr int rows     = 8;
constexpr double noise = 0.5;

/// 1-2-1 tanh with Gaussian noise: posteriors far from Gaussian. The ranked quantities are
/// invariant to permutations of hidden units: the function at two inputs, and the density.
double function_at(std::span<const double> w, double x)
{
    return w[4] * std::tanh(w[0] * x + w[2]) + w[5] * std::tanh(w[1] * x + w[3]) + w[6];
}

/// χ² of the ranks of each ranked quantity over the bins: 7 degrees of freedom.
std::array<double, 3> rank_chi_squares(const ChainOptions& base)
{
    const Architecture net = mlp(1, {2}, 1, ActivationKind::tanh);
    const Prior prior      = Prior::same(layout_of(net), GaussianPrior{0, 1});
    std::array<std::array<int, bins>, 3> counts{};
    for (std::uint64_t s = 0; s < simulations; ++s) {
        const auto truth = normals(7, 1000 + s);
        const auto x     = normals<float>(rows, 5000 + s);
        auto y           = normals<float>(rows, 9000 + s, noise);
        for (int i = 0; i < rows; ++i)
            y[i] += static_cast<float>(function_at(truth, x[i]));
        NetworkDensity density(net, Likelihood::gaussian(noise), prior, x, {{}, y});
        std::vector<double> gradient(7);
        const auto ranked = [&](std::span<const double> w, double log_density) {
            return std::array{function_at(w, -1), function_at(w, 2), log_density};
        };
        const auto true_values = ranked(truth, density.evaluate(truth, gradient));
        double chance[4];
        uniforms({s, Stream::figures, 0}, 0, std::span<double>(chance));
        const int before = static_cast<int>(chance[3] * (draws + 1));
        std::array<int, 3> rank{}, ties{};
        for (const bool backwards : {true, false}) {
            ChainOptions options = base;
            options.seed         = s;
            options.number       = backwards;
            Chain chain(density.another(), truth, options);
            for (int t = 0; t < (backwards ? before : draws - before); ++t) {
                for (int k = 0; k < thinning; ++k)
                    chain.step();
                const auto values = ranked(chain.theta(), chain.last().log_density);
                for (std::size_t q = 0; q < 3; ++q) {
                    rank[q] += values[q] < true_values[q];
                    ties[q] += values[q] == true_values[q];   // it stayed
                }
            }
        }
        for (std::size_t q = 0; q < 3; ++q)
            rank[q] += static_cast<int>(chance[q] * (ties[q] + 1));
        for (std::size_t q = 0; q < 3; ++q)
            ++counts[q][static_cast<std::size_t>(rank[q] * bins / (draws + 1))];
    }
    std::array<double, 3> chi_squares{};
    for (std::size_t q = 0; q < 3; ++q)
        for (const int count : counts[q]) {
            const double expected = static_cast<double>(simulations) / bins;
            chi_squares[q] += (count - expected) * (count - expected) / expected;
        }
    return chi_squares;
}

ChainOptions calibrated(SamplerFaults faults = {})
{
    ChainOptions options;
    options.warmup.transitions = 0;
    options.warmup.step_size   = 0.25;
    options.faults             = faults;
    return options;
}

// Of χ² with 7 degrees of freedom: 99.9 % are below 24.3, 1 in 10⁶ above 40.5.
TEST(Calibration, RanksOfNutsAreUniform)
{
    for (const double chi_square : rank_chi_squares(calibrated()))
        EXPECT_LT(chi_square, 24.3);
}

TEST(Calibration, RanksOfHmcAreUniform)
{
    ChainOptions options = calibrated();
    options.sampler      = HmcOptions{.steps = 6, .step_size_jitter = 0.2};
    for (const double chi_square : rank_chi_squares(options))
        EXPECT_LT(chi_square, 24.3);
}

TEST(Calibration, RanksStayUniformWithoutTheChecksBetweenHalves)
{
    // They save steps; without them the sampler is still correct.
    for (const double chi_square : rank_chi_squares(calibrated({.extra_checks = false})))
        EXPECT_LT(chi_square, 24.3);
}

TEST(Calibration, DetectsMomentaThatAreTooLarge)
{
    const auto chi_squares = rank_chi_squares(calibrated({.momentum_scale = std::sqrt(2.0)}));
    EXPECT_GT(*std::max_element(chi_squares.begin(), chi_squares.end()), 40.5);
}

TEST(Calibration, DetectsThatTheLastPointIsAlwaysAccepted)
{
    const auto chi_squares = rank_chi_squares(calibrated({.last_point = true}));
    EXPECT_GT(*std::max_element(chi_squares.begin(), chi_squares.end()), 40.5);
}

}   // namespace
}   // namespace credence::testing
