// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/double_well.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

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
