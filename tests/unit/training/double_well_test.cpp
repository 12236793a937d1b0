// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/double_well.h"

#include <gmock/gmock.h>

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

}   // namespace
}   // namespace credence
