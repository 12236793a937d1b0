// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/chain.h"

#include "chains.h"
#include "chains/network_density.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "unit/random_values.h"

#include <set>

namespace credence::testing {
namespace {

NetworkDensity small_net()
{
    const Architecture net = mlp(2, {5}, 2, ActivationKind::tanh);
    std::vector<int> labels(30);
    for (int i = 0; i < 30; ++i)
        labels[i] = i % 2;
    return {net, {}, Prior::same(layout_of(net), GaussianPrior{0, 1}), normals<float>(60, 3), {labels, {}}};
}

/// The last weights of four chains of 60 + 20 transitions.
std::vector<std::vector<double>> four_chains(int threads)
{
    const NetworkDensity density = small_net();
    std::vector<std::vector<double>> ends(4);
    Threads arena(threads);
    arena.run([&] {
        parallel_for(4, [&](std::size_t k) {
            ChainOptions options;
            options.warmup.transitions = 60;
            options.seed               = 9;
            options.number             = static_cast<std::uint32_t>(k);
            Chain chain(density.another(), normals(density.dimension(), 9 + k), options);
            ends[k] = draws_of(chain, 20).back();
        });
    });
    return ends;
}

TEST(Chain, GivesTheSameBitsForAnyNumberOfThreads)
{
    const auto alone = four_chains(1);
    EXPECT_EQ(alone, four_chains(4));
    EXPECT_EQ(std::set(alone.begin(), alone.end()).size(), 4u);   // and each chain goes its own way
}

TEST(Chain, CountsWarmUpAndDraws)
{
    ChainOptions options;
    options.warmup.transitions = 30;
    Chain chain(standard_gaussian(2), std::vector<double>{1, 1}, options);
    EXPECT_NEAR(chain.last().log_density, -1, 1e-15);   // of the start
    for (int t = 0; t < 40; ++t) {
        EXPECT_EQ(chain.warming_up(), t < 30);
        EXPECT_EQ(chain.transitions(), t);
        chain.step();
    }
    EXPECT_EQ(chain.warmup().transitions, 30);
    const double step_size = chain.step_size();
    chain.step();
    EXPECT_EQ(chain.last().step_size, step_size);
}

TEST(Chain, RejectsAStartWithoutADensity)
{
    const auto sentence = [](std::vector<double> start) {
        ChainOptions options;
        options.number = 1;
        try {
            Chain chain(std::make_unique<FunctionDensity>(
                            1,
                            [](std::span<const double> x, std::span<double> g) {
                g[0] = -1;
                return x[0] > 0 ? -x[0] : -std::numeric_limits<double>::infinity();
                            }),
                        start, options);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing refused");
    };
    EXPECT_EQ(sentence({-1}), "Chain 2: the log density at the start is -inf, expected a finite number.");
    EXPECT_EQ(sentence({1, 2}), "Chain 2: the start has 2 numbers, expected 1.");
    EXPECT_EQ(sentence({1}), "nothing refused");
}

TEST(ChainNoise, NumbersOfATransitionDoNotDependOnTheOneBefore)
{
    ChainNoise one(4, 2), other(4, 2);
    one.begin(0);
    for (int k = 0; k < 100; ++k)
        one.uniform();
    std::vector<double> a(10), b(10);
    for (ChainNoise* noise : {&one, &other}) {
        noise->begin(1);
        noise->normals(noise == &one ? a : b);
    }
    EXPECT_EQ(a, b);
    EXPECT_EQ(one.uniform(), other.uniform());
}

TEST(ChainNoise, ChainsAndPurposesShareNoNumbers)
{
    std::set<double> seen;
    for (const std::uint32_t chain : {0U, 1U, 2U})
        for (const auto purpose : {ChainNoise::Purpose::transitions, ChainNoise::Purpose::step_size_search}) {
            ChainNoise noise(1, chain, purpose);
            for (int k = 0; k < 100; ++k)
                seen.insert(noise.uniform());
        }
    EXPECT_EQ(seen.size(), 600u);
}

}   // namespace
}   // namespace credence::testing
