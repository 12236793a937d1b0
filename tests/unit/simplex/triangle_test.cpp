// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "simplex/dirichlet_fit.h"
#include "simplex/laplace_bridge.h"
#include "simplex/ternary_grid.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

using namespace credence;

namespace {

const LogitGaussian three_logits = LogitGaussian::from_covariance({1, 1, -2}, {1, 0, 0.5, 0, 2, 0.3, 0.5, 0.3, 0.5});

double sum_of(const std::vector<double>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

std::vector<LogisticNormal> all_widths()
{
    std::vector<LogisticNormal> distributions;
    for (const double s : {1e-3, 0.05, 1.0, 10.0, 100.0})
        distributions.emplace_back(LogitGaussian::from_diagonal({0.4, -1, 2}, {s * s, 2 * s * s, 0.5 * s * s}));
    distributions.emplace_back(LogitGaussian::from_covariance({3, 0, 0}, {4, 3.99, 0, 3.99, 4, 0, 0, 0, 1e-4}));
    return distributions;
}
const std::vector<std::vector<double>> all_alphas{{1, 1, 1},       {4.9, 0.56, 0.56}, {1e-6, 1e-6, 1e-6},
                                                  {1e8, 1e8, 2e8}, {1e8, 1e-6, 1},    {1e-3, 50, 0.2}};

SimplexDivergences compared(const LogisticNormal& p, const Dirichlet& q)
{
    return compare(p, q, expectations(p.logits()));
}

}   // namespace

TEST(SimplexDivergences, BothDensitiesIntegrateToOneFromNarrowToWide)
{
    const auto narrow = expectations(three_logits);   // plays no part in the integrals
    for (const LogisticNormal& p : all_widths())
        for (const auto& alpha : all_alphas) {
            if (p.alr_covariance()[0] > 1e3 && alpha != all_alphas[1])
                continue;   // the widest distribution with one alpha only: half a second each
            const auto c = compare(p, Dirichlet(alpha), narrow);
            EXPECT_NEAR(c.mass_p, 1, 1e-6);
            EXPECT_NEAR(c.mass_q, 1, 1e-6) << alpha[0] << " " << alpha[1] << " " << alpha[2];
            EXPECT_GE(*c.total_variation, 0);
            EXPECT_LE(*c.total_variation, 1);
            EXPECT_LE(*c.hellinger * *c.hellinger, *c.total_variation + 1e-6);
            EXPECT_LE(*c.total_variation, std::sqrt(2.0) * *c.hellinger + 1e-6);
        }
}

TEST(SimplexDivergences, AgreesWithSumsOverAFineLattice)
{
    const LogisticNormal p(three_logits);
    const Dirichlet q = bridge(three_logits, BridgeVariant::plain).dirichlet();
    // y = (ln π_1/π_3, ln π_2/π_3) on a fine lattice; both densities for y
    double tv = 0, affinity = 0, kl = 0, reverse = 0;
    constexpr double h = 0.08;
    for (double a = -20; a < 20; a += h)
        for (double b = -20; b < 20; b += h) {
            const double high     = std::max({a, b, 0.0}),
                         lse      = high + std::log(std::exp(a - high) + std::exp(b - high) + std::exp(-high));
            const double jacobian = a + b - 3 * lse;
            const double lp       = p.log_density_of_alr(std::vector<double>{a, b});
            const double lq       = q.log_pdf_of_log(std::vector<double>{a - lse, b - lse, -lse}) + jacobian;
            tv += 0.5 * std::fabs(std::exp(lp) - std::exp(lq)) * h * h;
            affinity += std::exp(0.5 * (lp + lq)) * h * h;
            kl += std::exp(lp) * (lp - lq) * h * h;
            reverse += std::exp(lq) * (lq - lp) * h * h;
        }
    const auto c = compared(p, q);
    EXPECT_NEAR(*c.total_variation, tv, 1e-4);
    EXPECT_NEAR(*c.hellinger, std::sqrt(1 - affinity), 1e-7);
    EXPECT_NEAR(c.kl, kl, 1e-9);
    EXPECT_NEAR(kl_divergence(q, p), reverse, 1e-5 * reverse);
}

TEST(SimplexDivergences, OfACloseFitIsSmallAndOfFarDistributionsIsOne)
{
    const Dirichlet sharp({2e6, 5e6, 3e6});
    const auto close = compared(LogisticNormal(logit_gaussian(sharp)), sharp);
    EXPECT_LT(*close.total_variation, 1e-3);
    EXPECT_LT(*close.hellinger, 1e-3);
    const auto far = compared(LogisticNormal(LogitGaussian::from_diagonal({0, 0, 10}, {1e-4, 1e-4, 1e-4})), sharp);
    EXPECT_NEAR(*far.total_variation, 1, 1e-9);
    EXPECT_NEAR(*far.hellinger, 1, 1e-9);
}

TEST(SimplexDivergences, OfTwoClassesHasTheSameNumbersAsMergedSums)
{
    const auto logits = LogitGaussian::from_diagonal({0.5, -0.5}, {1, 0.5});
    const LogisticNormal p(logits);
    const Dirichlet q({2, 1});
    double tv = 0, affinity = 0;
    constexpr double h = 1e-3;
    for (double y = -40; y < 40; y += h) {
        const double lp = p.log_density_of_alr(std::vector<double>{y});
        const double lq = q.log_beta() * -1 - 2 * std::log1p(std::exp(-y)) - std::log1p(std::exp(y));
        tv += 0.5 * std::fabs(std::exp(lp) - std::exp(lq)) * h;
        affinity += std::exp(0.5 * (lp + lq)) * h;
    }
    const auto c = compared(p, q);
    EXPECT_NEAR(*c.total_variation, tv, 1e-5);
    EXPECT_NEAR(*c.hellinger, std::sqrt(1 - affinity), 1e-8);
}

TEST(SimplexDivergences, OfMoreThanThreeClassesOmitsOnlyTheIntegrals)
{
    const auto c = compared(LogisticNormal(LogitGaussian::from_diagonal({0, 1, 2, 3}, {1, 1, 1, 1})),
                            Dirichlet({1, 2, 3, 4}));
    EXPECT_FALSE(c.total_variation.has_value());
    EXPECT_GT(c.kl, 0);
    EXPECT_FALSE(c.hellinger.has_value());
}

TEST(CellProbabilities, AddUpToOne)
{
    for (const LogisticNormal& p : all_widths())
        EXPECT_NEAR(sum_of(cell_probabilities(p, 7)), 1, 1e-9) << p.alr_covariance()[0];
    for (const auto& alpha : all_alphas)
        EXPECT_NEAR(sum_of(cell_probabilities(Dirichlet(alpha), 7)), 1, 1e-8) << alpha[0];
}

TEST(CellProbabilities, OfTheFlatDistributionAreAreas)
{
    const auto p = cell_probabilities(Dirichlet({1, 1, 1}), 4);
    EXPECT_NEAR(p[0], 2.0 / 16, 1e-12);   // a square
    EXPECT_NEAR(p[3], 1.0 / 16, 1e-12);   // half of one, on the long edge
}

TEST(CellProbabilities, CountsOfSamplesFollowThem)
{
    const LogisticNormal distribution(three_logits);
    const int n = 50000, B = 5;
    const auto draws  = distribution.sample({.seed = 2, .stream = Stream::logits, .index = 0}, n);
    const auto counts = cell_counts(draws, B);
    const auto p      = cell_probabilities(distribution, B);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0L), n);
    for (std::size_t b = 0; b < p.size(); ++b)
        EXPECT_NEAR(counts[b], n * p[b], 5 * std::sqrt(n * p[b]) + 1) << b;
    EXPECT_LT(kl_of_cells(p, histogram_probabilities(counts)), 1e-3);
    EXPECT_EQ(kl_of_cells(p, p), 0);
}

TEST(CellProbabilities, OfADistributionWithTwoFlatClassesAreInClosedForm)
{
    // Dir(a, 1, 1) has the density a (a + 1) π_1^(a−1): a square cell's probability is (a + 1) (b^a
    // − c^a)/B, far below the smallest double, too
    const int B = 7;
    for (const double a : {1e-6, 0.3, 5.0, 300.0, 1e5, 1e8}) {
        const auto by_first  = log_cell_probabilities(Dirichlet({a, 1, 1}), B),
                   by_second = log_cell_probabilities(Dirichlet({1, a, 1}), B);
        std::size_t b        = 0;
        for (int i = 0; i < B; ++i)
            for (int j = 0; i + j < B; ++j, ++b) {
                const auto expected = [&](int k) {
                    const double top        = std::log((k + 1.0) / B),
                                 difference = k > 0 ? a * std::log(k / (k + 1.0)) : -INFINITY;
                    return std::log((a + 1) / B) + a * top + std::log(-std::expm1(difference));
                };
                if (i + j == B - 1)
                    continue;   // half a square
                EXPECT_NEAR(by_first[b], expected(i), 1e-9 + 1e-13 * std::fabs(expected(i)))
                    << a << ", cell " << i << ", " << j;
                EXPECT_NEAR(by_second[b], expected(j), 1e-9 + 1e-13 * std::fabs(expected(j)))
                    << a << ", cell " << i << ", " << j;
            }
    }
}

TEST(CellProbabilities, OfALogisticNormalDoNotDependOnWhichClassIsFirst)
{
    const int B = 6;
    for (const double far : {0.0, 5.0, 40.0})
        for (const double variance : {0.01, 1.0, 400.0}) {
            const LogisticNormal distribution(
                LogitGaussian::from_diagonal({far, -far, 0.3}, {variance, 2 * variance, variance}));
            const LogisticNormal turned(
                LogitGaussian::from_diagonal({-far, far, 0.3}, {2 * variance, variance, variance}));
            const auto p = log_cell_probabilities(distribution, B), q = log_cell_probabilities(turned, B);
            const auto at = [&](int i, int j) { return static_cast<std::size_t>(i * B - i * (i - 1) / 2 + j); };
            for (int i = 0; i < B; ++i)
                for (int j = 0; i + j < B; ++j)
                    EXPECT_NEAR(p[at(i, j)], q[at(j, i)], 1e-9 + 1e-12 * std::fabs(p[at(i, j)]))
                        << far << ", " << variance << ", cell " << i << ", " << j;
        }
}

TEST(CellProbabilities, GiveAnyTwoDistributionsAFiniteKl)
{
    const int B = 5;
    std::vector<std::vector<double>> distributions;
    for (const auto& alpha :
         {std::vector<double>{1e-6, 1e-6, 2e-6}, {1e8, 1e8, 1e8}, {1e8, 1e-6, 3}, {0.5, 20, 3}, {1e-3, 1e3, 1e5}})
        distributions.push_back(log_cell_probabilities(Dirichlet(alpha), B));
    for (const double far : {0.0, 30.0, 1000.0})
        for (const double sd : {0.01, 1.0, 100.0})
            distributions.push_back(log_cell_probabilities(
                LogisticNormal(LogitGaussian::from_diagonal({far, -far, 0.3}, {sd * sd, sd * sd, sd * sd})), B));
    for (std::size_t p = 0; p < distributions.size(); ++p)
        for (std::size_t q = 0; q < distributions.size(); ++q) {
            const double kl = kl_of_log_cells(distributions[p], distributions[q]);
            EXPECT_TRUE(std::isfinite(kl)) << p << ", " << q;
            EXPECT_GT(kl, -1e-7) << p << ", " << q;
            if (p == q) {
                EXPECT_EQ(kl, 0) << p;
            }
        }
}

TEST(CellProbabilities, OfANarrowDistributionAgainstItsBridgeHaveTheKlOfArbitraryPrecision)
{
    // The Dirichlet has cells below 1e-17. Value: 50 digits by quadrature of both densities
    const auto logits = LogitGaussian::from_covariance({-1, 1.5, 0}, {0.2, 0, 0, 0, 0.05, 0.01, 0, 0.01, 0.3});
    const auto q      = log_cell_probabilities(bridge(logits, BridgeVariant::plain).dirichlet(), 12);
    EXPECT_NEAR(kl_of_log_cells(log_cell_probabilities(LogisticNormal(logits), 12), q), 3.97246479342545, 1e-11);
}

TEST(TernaryGrid, IntegratesToOneHoweverSharpOrFarInTheCorner)
{
    for (const int n : {1, 2, 33, 200}) {
        for (const LogisticNormal& p : all_widths())
            EXPECT_NEAR(ternary_grid(p, n).total(), 1, 1e-9);
        for (const auto& alpha : all_alphas)
            EXPECT_NEAR(ternary_grid(Dirichlet(alpha), n).total(), 1, 1e-9) << alpha[0];
    }
}

TEST(TernaryGrid, HasTheDensityInItsCellsForBothDistributions)
{
    const int n      = 200;
    const auto check = [&](const auto& distribution, const TernaryGrid& grid) {
        double worst = 0, peak = 0;
        for (int cell = 0; cell < n * n; ++cell) {
            const auto c = grid.corners(cell);
            std::vector<double> middle(3);
            for (int k = 0; k < 3; ++k)
                middle[k] = (c[0][k] + c[1][k] + c[2][k]) / 3;
            if (std::min({middle[0], middle[1], middle[2]}) < 0.02)
                continue;   // near the border a cell's mean is not the density at its middle
            const double want = std::exp(distribution.log_pdf(middle));
            worst             = std::max(worst, std::fabs(grid.density(cell) - want));
            peak              = std::max(peak, want);
        }
        EXPECT_LT(worst, 0.02 * peak);
    };
    const auto gauss = LogitGaussian::from_diagonal({0.3, -0.2, 0.1}, {0.3, 0.2, 0.1});
    check(LogisticNormal(gauss), ternary_grid(LogisticNormal(gauss), n));
    check(Dirichlet({5, 3, 4}), ternary_grid(Dirichlet({5, 3, 4}), n));
    check(Dirichlet({1, 1, 1}), ternary_grid(Dirichlet({1, 1, 1}), n));
}

TEST(TernaryGrid, MergedToSquaresItIsTheCellProbabilities)
{
    const int n              = 20;
    const auto compare_cells = [&](const auto& distribution) {
        const auto grid  = ternary_grid(distribution, n);
        const auto cells = cell_probabilities(distribution, n);
        std::size_t b    = 0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; i + j < n; ++j, ++b) {
                const int cell    = i * (2 * n - i) + 2 * j;
                const double both = grid.mass[cell] + (i + j < n - 1 ? grid.mass[cell + 1] : 0);
                EXPECT_NEAR(both, cells[b], 3e-4) << i << ", " << j;
            }
    };
    compare_cells(LogisticNormal(three_logits));
    compare_cells(Dirichlet({2.8, 1.4, 0.9}));
    compare_cells(Dirichlet({4.9, 0.1, 0.01}));
}

TEST(TernaryGrid, PutsATinyAlphaIntoTheCorners)
{
    const auto grid = ternary_grid(Dirichlet({1e-6, 1e-6, 2e-6}), 50);
    EXPECT_NEAR(grid.mass[grid.cell_of(1, 0)], 0.25, 1e-4);
    EXPECT_NEAR(grid.mass[grid.cell_of(0, 1)], 0.25, 1e-4);
    EXPECT_NEAR(grid.mass[grid.cell_of(0, 0)], 0.5, 1e-4);
}

TEST(TernaryGrid, FindsTheCellOfEachCentre)
{
    TernaryGrid grid;
    grid.n = 9;
    for (int cell = 0; cell < 81; ++cell) {
        const auto c = grid.corners(cell);
        EXPECT_EQ(grid.cell_of((c[0][0] + c[1][0] + c[2][0]) / 3, (c[0][1] + c[1][1] + c[2][1]) / 3), cell);
        const double area = std::fabs((c[1][0] - c[0][0]) * (c[2][1] - c[0][1])
                                      - (c[2][0] - c[0][0]) * (c[1][1] - c[0][1]))
                            / 2;
        EXPECT_NEAR(area, 0.5 / 81, 1e-15);
    }
}

TEST(TernaryGrid, IsTheSameBitsOnAnyNumberOfThreads)
{
    const LogisticNormal distribution(three_logits);
    TernaryGrid one, many;
    Threads(1).run([&] { one = ternary_grid(distribution, 60); });
    Threads(7).run([&] { many = ternary_grid(distribution, 60); });
    EXPECT_EQ(one.mass, many.mass);
}

TEST(TernaryGrid, RejectsOtherNumbersOfClassesAndCells)
{
    EXPECT_THAT(
        [] {
        ternary_grid(Dirichlet({1, 1}), 10);
        },
        testing::ThrowsMessage<Error>("Density on the triangle: a distribution over 2 classes found, expected 3."));
    EXPECT_THAT(
        [] {
        ternary_grid(Dirichlet({1, 1, 1}), 0);
        },
        testing::ThrowsMessage<Error>("Density on the triangle: 0 cells per side requested, expected 1 to 2000."));
    EXPECT_THAT(
        [] {
        cell_probabilities(Dirichlet({1, 1}), 3);
        },
        testing::ThrowsMessage<Error>(
            "Cells of the triangle: a distribution over 2 classes and 3 cells per side found, expected 3 classes "
            "and at least one cell."));
}
