// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/density.h"

#include "foundation/statistics.h"
#include "random/noise.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

using namespace credence;

namespace {

std::vector<double> normals(std::size_t n)
{
    std::vector<double> out(n);
    standard_normals({7, Stream::figures, 0}, 0, std::span<double>(out));
    return out;
}

}   // namespace

TEST(Histogram, CountsEveryValueOnceAndItsDensityIntegratesToOne)
{
    const auto values = normals(1000);
    const auto h      = histogram(values);
    long total        = 0;
    double area       = 0;
    for (std::size_t b = 0; b < h.counts.size(); ++b) {
        total += h.counts[b];
        area += h.density(b) * h.width;
    }
    EXPECT_EQ(total, 1000);
    EXPECT_NEAR(area, 1, 1e-12);
}

TEST(Histogram, HasTheBinsOfFreedmanAndDiaconis)
{
    const auto values  = normals(1000);
    const double width = 2 * (quantile(values, 0.75) - quantile(values, 0.25)) / std::cbrt(1000.0);
    const double range = quantile(values, 1) - quantile(values, 0);
    EXPECT_EQ(histogram(values).counts.size(), static_cast<std::size_t>(std::ceil(range / width)));
}

TEST(Histogram, OfOneValueIsOneBinAroundIt)
{
    for (const double value : {0.0, 3.0, -1e-8}) {
        const auto h = histogram(std::vector<double>(5, value));
        ASSERT_EQ(h.counts.size(), 1u);
        EXPECT_EQ(h.counts[0], 5);
        EXPECT_NEAR(h.centre(0), value, 1e-15);
    }
}

TEST(Histogram, OfAFarOutlierHasNoMoreBinsThanItsLimit)
{
    auto values = normals(1000);
    values.push_back(1e6);
    EXPECT_EQ(histogram(values, 100).counts.size(), 100u);
}

TEST(Histogram, SkipsNonFiniteValues)
{
    EXPECT_EQ(histogram(std::vector<double>{1, 2, std::nan(""), std::numeric_limits<double>::infinity()}).total, 2);
    EXPECT_TRUE(histogram({}).counts.empty());
}

TEST(KernelDensity, IntegratesToOneAndIsCloseToTheDensityOfManySamples)
{
    const auto curve = kernel_density(normals(20000));
    double area      = 0;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
        area += curve.density[i] * (curve.x[1] - curve.x[0]);
        EXPECT_NEAR(curve.density[i], normal_density(curve.x[i], 0, 1), 0.02) << "x = " << curve.x[i];
    }
    EXPECT_NEAR(area, 1, 2e-3);   // the mass of the end kernels beyond three bandwidths
}

TEST(KernelDensity, OfOneValueIsNoCurve)
{
    EXPECT_TRUE(kernel_density(std::vector<double>{2, 2, 2}).x.empty());
    EXPECT_TRUE(kernel_density({}).x.empty());
}
