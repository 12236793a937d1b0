// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/double_well.h"
#include "foundation/error.h"
#include "foundation/progress.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace credence {

namespace {

using namespace double_well;

constexpr double small = 1e-5;

TEST(DoubleWell, ItsWellsAreAtTheRootsOfFive)
{
    for (const double well : {-std::sqrt(5.0), std::sqrt(5.0)}) {
        EXPECT_NEAR(potential(well), -5, 1e-14);
        EXPECT_NEAR(double_well::slope(well), 0, 1e-14);
    }
    EXPECT_EQ(potential(0), 0);
}

TEST(DoubleWell, SlopesAreDerivatives)
{
    for (const double theta : {-3.0, -0.4, 1.1, 2.5})
        EXPECT_NEAR(double_well::slope(theta), (potential(theta + small) - potential(theta - small)) / (2 * small),
                    1e-7);
    for (const double mu : {-2.0, 0.3})
        for (const double sd : {0.2, 1.5}) {
            const auto at = free_energy(mu, sd);
            EXPECT_NEAR(at.by_mu, (free_energy(mu + small, sd).value - free_energy(mu - small, sd).value) / (2 * small),
                        1e-7);
            EXPECT_NEAR(at.by_sd, (free_energy(mu, sd + small).value - free_energy(mu, sd - small).value) / (2 * small),
                        1e-7);
        }
}

TEST(DoubleWell, ANarrowGaussianExpectsThePotentialItself)
{
    EXPECT_NEAR(expected_potential(1.3, 1e-6).value, potential(1.3), 1e-10);
}

/// No Gaussian has a free energy below −ln ∫exp(−U).
TEST(DoubleWell, TheFreeEnergyIsBoundedByTheNormaliser)
{
    for (double mu = -3; mu <= 3; mu += 0.25)
        for (double sd = 0.1; sd < 3; sd += 0.1)
            EXPECT_GT(free_energy(mu, sd).value, -std::log(normaliser()));
    EXPECT_GT(variance(), 4);
    EXPECT_LT(variance(), 5);
}

TEST(DoubleWell, TheDensityIntegratesToOneAndHasTheVariance)
{
    double mass = 0, square = 0;
    for (double theta = -6; theta <= 6; theta += 0.01) {
        mass += 0.01 * density(theta);
        square += 0.01 * theta * theta * density(theta);
    }
    EXPECT_NEAR(mass, 1, 1e-9);
    EXPECT_NEAR(square, variance(), 1e-9);
}

/// The pass found the naive way: for each μ the best of many s.
TEST(DoubleWell, AGaussianHasALowerPassThanAPoint)
{
    EXPECT_NEAR(barrier(), 5, 1e-14);
    double low = 1e9, pass = -1e9;
    for (double mu = 0; mu <= 2.2; mu += 0.02) {
        double best = 1e9;
        for (double sd = 0.2; sd < 2; sd += 0.005)
            best = std::min(best, free_energy(mu, sd).value);
        low  = std::min(low, best);
        pass = std::max(pass, best);
    }
    EXPECT_NEAR(functional_barrier(), pass - low, 1e-3);
    EXPECT_LT(functional_barrier(), barrier() / 3);
}

}   // namespace

}   // namespace credence

namespace credence::double_well {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(DoubleWellWalk, IsTheSameForAnyCutOfItsSteps)
{
    ChainPair at_once({.seed = 7}), in_pieces({.seed = 7});
    at_once.advance(100);
    for (const long n : {1L, 0L, 40L, 59L})
        in_pieces.advance(n);
    EXPECT_EQ(at_once.points(), in_pieces.points());
    EXPECT_EQ(at_once.gaussians().back().mu, in_pieces.gaussians().back().mu);
    EXPECT_EQ(at_once.gaussians().back().sd, in_pieces.gaussians().back().sd);
    EXPECT_EQ(at_once.steps(), 100);
    EXPECT_NE(ChainPair({.seed = 8}).points(), ChainPair({.seed = 7}).points()) << "different starts";
}

/// The numbers of momentum_trace in tests/reference/sgmcmc.json.
TEST(DoubleWellWalk, WithoutNoiseThePointRollsAsTheReferenceDoes)
{
    ChainPair pair({.step_size = 0.2, .temperature = 0, .start = 0.1});
    pair.advance(5);
    const double want[] = {
        0.1, 0.17984, 0.36270136610881537, 0.7366588713262495, 1.449003130805585, 2.4776031140904857};
    for (std::size_t t = 0; t < 6; ++t)
        EXPECT_NEAR(pair.points()[t], want[t], 1e-12) << "step " << t;
}

TEST(DoubleWellWalk, WithoutNoiseTheGaussianEndsWhereItsFreeEnergyIsLeast)
{
    ChainPair pair({.temperature = 0, .start = 1});
    pair.advance(5000);
    const auto [mu, sd] = pair.gaussians().back();
    EXPECT_NEAR(free_energy(mu, sd).by_mu, 0, 1e-8);
    EXPECT_NEAR(free_energy(mu, sd).by_sd, 0, 1e-8);
    EXPECT_GT(mu, 2);
    EXPECT_EQ(pair.functional_crossings(), 0);
}

TEST(DoubleWellWalk, TheFunctionalCrossesMoreOften)
{
    long plain = 0, functional = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        ChainPair pair({.seed = seed});
        pair.advance(10'000);
        plain += pair.plain_crossings();
        functional += pair.functional_crossings();
    }
    EXPECT_GT(functional, 2 * plain) << plain << " of the plain chains";
}

TEST(DoubleWellWalk, ATallyIsThatOfTheMixture)
{
    Tally tally;
    EXPECT_EQ(tally.mean(), std::nullopt);
    EXPECT_EQ(tally.variance(), std::nullopt);
    EXPECT_EQ(tally.right_share(), std::nullopt);
    tally.add({1, 0.5});
    tally.add({-2, 0});
    EXPECT_DOUBLE_EQ(*tally.mean(), -0.5);
    EXPECT_DOUBLE_EQ(*tally.variance(), (1 + 0.25 + 4) / 2 - 0.25);
    EXPECT_NEAR(*tally.right_share(), 0.97724986805182079 / 2, 1e-15);   // Φ(2)/2
    const auto bins = tally.bins();
    EXPECT_NEAR(std::accumulate(bins.begin(), bins.end(), 0.0), 1, 1e-10);
    EXPECT_NEAR(bins[static_cast<std::size_t>(Bins::of(-2))], 0.5,
                1e-9);   // the Gaussian leaves 8e-10 there, six deviations away
    const int bin      = Bins::of(1.3);
    const double wants = (std::erf((Bins::from + (bin + 1) * Bins::width - 1) / 0.5 / std::sqrt(2))
                          - std::erf((Bins::from + bin * Bins::width - 1) / 0.5 / std::sqrt(2)))
                         / 4;
    EXPECT_NEAR(bins[static_cast<std::size_t>(bin)], wants, 1e-15);
    EXPECT_EQ(Bins::of(-4.6), Bins::n);
    EXPECT_EQ(Bins::of(4.6), Bins::n);
}

TEST(DoubleWellWalk, ACrossingIsFromWellToWell)
{
    Crossings crossings;
    for (const double theta : {0.3, 1.5, -0.9, 0.9, -1.0, 2.0, -2.0, -0.1, 0.1, -1.3, 1.2})
        crossings.visit(theta);
    EXPECT_EQ(crossings.count(), 2);
}

TEST(DoubleWellWalk, DrawsComeFromEveryFunctional)
{
    ChainPair pair({.seed = 3});
    EXPECT_TRUE(pair.functional_draws(1000).empty());
    pair.advance(10);
    const auto draws = pair.functional_draws(10'000);
    ASSERT_EQ(draws.size(), 1000U);
    for (std::size_t t = 1; t <= 10; ++t) {
        const auto [mu, sd] = pair.gaussians()[t];
        double mean         = 0;
        for (std::size_t i = 0; i < 100; ++i)
            mean += draws[100 * (t - 1) + i] / 100;
        EXPECT_NEAR(mean, mu, 0.5 * sd) << "five standard errors, state " << t;
    }
    EXPECT_EQ(pair.functional_draws(250).size(), 250U) << "25 from each";
    EXPECT_EQ(pair.functional_draws(4).size(), 4U) << "of four of them";
    EXPECT_EQ(pair.plain_draws(100), std::vector(pair.points().begin() + 1, pair.points().end()));
    EXPECT_THAT(pair.plain_draws(2), ::testing::ElementsAre(pair.points()[5], pair.points()[10]));
}

TEST(DoubleWellWalk, TheLongChainIsNearTheReference)
{
    const auto chain = long_chain();
    EXPECT_EQ(chain.draws.size(), 10'000U);
    EXPECT_GT(chain.crossings, 50);
    EXPECT_NEAR(*chain.tally.variance(), variance(), 0.3);
    EXPECT_NEAR(*chain.tally.right_share(), 0.5, 0.15);   // four standard errors of some 200 crossings
    EXPECT_EQ(long_chain({.steps = 5000}).draws.front(), chain.draws.front()) << "the same seed";
    ChainPair pair({});
    pair.advance(1000);
    EXPECT_THAT(chain.draws, ::testing::Not(::testing::Contains(pair.points()[100]))) << "independent noise";
    std::stop_source stop;
    stop.request_stop();
    const StopScope scope(stop.get_token());
    EXPECT_THROW(long_chain(), Stopped);
}

TEST(DoubleWellWalk, RejectsInvalidSettings)
{
    const auto refuses = [](const ChainPairOptions& options, const char* sentence) {
        EXPECT_THAT([&] { ChainPair pair(options); }, ThrowsMessage<Error>(sentence));
    };
    refuses({.step_size = 0}, "Double well: the step size is 0, expected a number above 0.");
    refuses({.momentum = 1.2}, "Double well: the momentum is 1.2, expected a number from 0 to below 1.");
    refuses({.temperature = -1}, "Double well: the temperature is -1, expected a number of at least 0.");
    refuses({.start = 80}, "Double well: the start is 80, expected a position between -50 and 50.");
    EXPECT_THAT([] { long_chain({.steps = 10}); },
                ThrowsMessage<Error>(
                    "Double well: found 10 steps of which every 100th is saved, expected at least one saved step."));
}

TEST(DoubleWellWalk, ReportsStepsThatAreTooLargeAndKeepsEarlierStates)
{
    ChainPair pair({.step_size = 1, .start = 3});
    EXPECT_THAT([&] { pair.advance(100); }, ThrowsMessage<Error>(AllOf(HasSubstr("Double well, step "),
                                                                       HasSubstr("the step size 1 is too large"))));
    const long steps = pair.steps();
    EXPECT_LT(steps, 100);
    EXPECT_LE(std::fabs(pair.points().back()), 50);
    EXPECT_THROW(pair.advance(1), Error);
    EXPECT_EQ(pair.steps(), steps);
}

}   // namespace
}   // namespace credence::double_well
