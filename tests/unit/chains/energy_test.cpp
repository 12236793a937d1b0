// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/energy.h"

#include "unit/chains/chains_for_tests.h"

#include <gtest/gtest.h>

#include <limits>

using namespace credence;

namespace {

DiagnosticValue of_energies(std::vector<double> energies) { return e_bfmi(energies); }

}   // namespace

TEST(EBfmi, OfFourEnergiesByHand)
{
    // Steps 1, 1, 1; deviations 1.5, 0.5, 0.5, 1.5.
    EXPECT_NEAR(*of_energies({1, 2, 3, 4}), 3.0 / 5, 1e-15);
    // Steps 2, 2, 2; deviations 1: as large as it gets with four.
    EXPECT_NEAR(*of_energies({1, -1, 1, -1}), 3.0, 1e-15);
    // Steps 0, 4, 0; deviations 2.
    EXPECT_NEAR(*of_energies({5, 5, 9, 9}), 1.0, 1e-15);
}

TEST(EBfmi, OfIndependentEnergiesIsTwoAndOfAutocorrelatedOnesTwiceTheRemainder)
{
    // (E_t − E_{t−1})² has the mean 2 (1 − φ) Var.
    for (const double phi : {0.0, 0.5, 0.95})
        EXPECT_NEAR(*e_bfmi(autoregressive(1, 20000, phi, 6)[0]), 2 * (1 - phi), 0.05 * 2 * (1 - phi)) << "φ = " << phi;
}

TEST(EBfmi, DoesNotDependOnLocationAndScale)
{
    for (const double unit : {1e-3, 1e300})
        EXPECT_NEAR(*of_energies({4 * unit, 2 * unit, 7 * unit, 5 * unit, 1 * unit}), 49.0 / 22.8, 1e-13);
    EXPECT_NEAR(*of_energies({1e6 + 4, 1e6 + 2, 1e6 + 7, 1e6 + 5, 1e6 + 1}), 49.0 / 22.8, 1e-8);
}

TEST(EBfmi, IsComputedForEachChain)
{
    const auto found = e_bfmi(together({{1, 2, 3, 4}, {7, 7, 7, 7}, {1, -1, 1, -1}}).view());
    ASSERT_EQ(found.size(), 3u);
    EXPECT_NEAR(*found[0], 0.6, 1e-15);
    EXPECT_EQ(found[1].why_not(), "E-BFMI: all draws are 7, so nothing varies.");
    EXPECT_NEAR(*found[2], 3, 1e-15);
}

TEST(EBfmi, IsNotDefinedForFewEnergiesAndForSuchAsAreNotFinite)
{
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(of_energies({1, 2, 3}).why_not(), "E-BFMI: found 3 draws per chain, expected at least 4.");
    EXPECT_EQ(of_energies({}).reason(), Undefined::too_few_draws);
    EXPECT_EQ(of_energies({1, 2, infinity, 3}).why_not(), "E-BFMI: draw 2 of chain 0 is inf, expected finite numbers.");
    EXPECT_EQ(e_bfmi(together({{1, 2, 3, 4}, {1, 2, 3, infinity}}).view())[1].why_not(),
              "E-BFMI: draw 3 of chain 1 is inf, expected finite numbers.");
}
