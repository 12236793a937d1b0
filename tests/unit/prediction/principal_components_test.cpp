// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/principal_components.h"

#include "foundation/error.h"
#include "laplace/symmetric_eigen.h"
#include "random/noise.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::DoubleNear;
using testing::ElementsAre;

namespace {

std::vector<double> normal_rows(std::size_t n, std::size_t d)
{
    std::vector<double> rows(n * d);
    standard_normals({3, Stream::figures, 0}, 0, std::span(rows));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i] *= 1 + 5.0 / static_cast<double>(1 + i % d);   // different variances
    return rows;
}

}   // namespace

TEST(PrincipalComponents, AreThoseOfNumPy)
{
    // tests/reference/principal_components.py
    const std::vector<double> rows{1, 2, 0.5, 2, 1, 0.7, 3, 5, 0.1, 4, 3, 0.9, 6, 8, -1.0};
    const auto found = principal_components(rows, 3, 2).value();
    const auto near  = [](double value) { return DoubleNear(value, 1e-12); };
    EXPECT_NEAR(found.total_variance, 11.968, 1e-12);
    EXPECT_THAT(found.variances, ElementsAre(near(11.111078289305123), near(0.7883607301752326)));
    EXPECT_THAT(found.axes,
                ElementsAre(near(0.5322841981300253), near(0.8225072078449878), near(-0.20038818693754773),
                            near(0.8357809704786106), near(-0.47290605379509476), near(0.27898034638633315)));
    EXPECT_THAT(found.coordinates(rows),
                ElementsAre(near(-2.703639138610796), near(-0.9149523481613523), near(-3.033939785713268),
                            near(0.4495307453895997), near(0.908606155959237), near(-0.7737007071439087),
                            near(-0.3644346111507515), near(1.231076648033878), near(5.1934073795155795),
                            near(0.008045661881782129)));
    EXPECT_NEAR(found.share(0) + found.share(1), (11.111078289305123 + 0.7883607301752326) / 11.968, 1e-12);
}

TEST(PrincipalComponents, DoNotDependOnTheSignOfTheEigenvectors)
{
    auto rows        = normal_rows(40, 4);
    const auto first = principal_components(rows, 4, 2).value();
    for (double& value : rows)
        value = -value;
    const auto mirrored = principal_components(rows, 4, 2).value();
    for (std::size_t j = 0; j < 8; ++j)
        EXPECT_NEAR(first.axes[j], mirrored.axes[j], 1e-10);
    for (std::size_t a = 0; a < 2; ++a) {
        double largest = 0;
        for (std::size_t j = 0; j < 4; ++j)
            largest = std::abs(first.axes[4 * a + j]) > std::abs(largest) ? first.axes[4 * a + j] : largest;
        EXPECT_GT(largest, 0);
    }
}

TEST(PrincipalComponents, OfManyNumbersHaveTheEigenvaluesOfTheGramMatrix)
{
    constexpr std::size_t n = 30, d = 350;
    const auto rows  = normal_rows(n, d);
    const auto found = principal_components(rows, d, 2).value();
    std::vector<double> gram(n * n, 0);
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
            for (std::size_t j = 0; j < d; ++j)
                gram[a * n + b] += (rows[a * d + j] - found.centre[j]) * (rows[b * d + j] - found.centre[j]) / (n - 1);
    const auto eigen = positive_eigen(gram, n);
    EXPECT_NEAR(found.variances[0], eigen.values[n - 1], 1e-6 * eigen.values[n - 1]);
    EXPECT_NEAR(found.variances[1], eigen.values[n - 2], 1e-6 * eigen.values[n - 1]);
    double along = 0;
    for (std::size_t j = 0; j < d; ++j)
        along += found.axes[j] * found.axes[d + j];
    EXPECT_NEAR(along, 0, 1e-6);
    EXPECT_EQ(found.axes, principal_components(rows, d, 2)->axes) << "the same bits again";
}

TEST(PrincipalComponents, WithoutVarianceAreZero)
{
    const auto equal = principal_components(std::vector<double>{1, 2, 1, 2}, 2, 2).value();
    EXPECT_THAT(equal.coordinates(std::vector<double>{5, 5}), ElementsAre(0, 0));
    EXPECT_EQ(equal.share(0), 0);
    const auto line = principal_components(std::vector<double>{1, 2, 4}, 1, 2).value();   // a single number per row
    EXPECT_THAT(line.axes, ElementsAre(1, 0));
    EXPECT_THAT(
        [] {
        principal_components(std::vector<double>{1, 2}, 2, 2);
        },
        testing::ThrowsMessage<Error>("Principal components: 1 rows found, expected at least 2."));
}

TEST(NearestRows, AreSortedByDistanceAndThenByIndex)
{
    const std::vector<double> rows{0, 0, 3, 4, 0, 1, 1, 0, -5, 0};
    EXPECT_THAT(nearest_rows(rows, std::vector<double>{0, 0}, 4),
                ElementsAre(NearRow{0, 0}, NearRow{2, 1}, NearRow{3, 1}, NearRow{1, 5}));
    EXPECT_EQ(nearest_rows(rows, std::vector<double>{0, 0}, 9).size(), 5u);
}
