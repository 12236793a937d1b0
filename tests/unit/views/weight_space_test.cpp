// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/weight_space.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace credence::view_support {
namespace {

/// The largest value along the curve.
template <class Potential>
double highest_on(const ModeCurve& curve, const Potential& potential)
{
    double highest = -1e300;
    for (int i = 0; i <= 100; ++i)
        highest = std::max(highest, potential(curve.at(i / 100.0)));
    return highest;
}

TEST(ModeCurve, StartsAndEndsAtTheTwoPoints)
{
    const ModeCurve curve{{1, 2}, {5, -3}, {0, 4}};
    EXPECT_EQ(curve.at(0), curve.a);
    EXPECT_EQ(curve.at(1), curve.b);
    EXPECT_THAT(curve.at(0.5), testing::ElementsAre(0.25 * 1 + 0.5 * 5, 0.25 * 2 - 0.5 * 3 + 0.25 * 4));
}

/// The mean of ½|B(t)|² over t is least for θ = −¾ (a + b), since ∫ c (1−t)² = ∫ c t² = 1/10 and ∫ c² = 2/15 with
/// c = 2t(1−t).
TEST(LowCurve, MinimisesTheMeanOfAQuadraticPotential)
{
    const std::vector<float> a{1, 0, -2}, b{0, 2, -2};
    const auto identity = [](std::span<const double> w, std::span<double> g) {
        std::copy(w.begin(), w.end(), g.begin());
    };
    const auto curve = low_curve(a, b, identity, 150, {});
    ASSERT_TRUE(curve);
    EXPECT_NEAR(curve->control[0], -0.75, 0.05);
    EXPECT_NEAR(curve->control[1], -1.5, 0.05);
    EXPECT_NEAR(curve->control[2], 3, 0.05);
}

/// U = (|w|² − 1)² + y/20 has a ring of low values; the straight line between two of them passes the hill at 0.
TEST(LowCurve, GoesAroundAHill)
{
    const auto potential = [](const std::vector<double>& w) {
        const double ring = w[0] * w[0] + w[1] * w[1] - 1;
        return ring * ring + w[1] / 20;
    };
    const auto gradient = [](std::span<const double> w, std::span<double> g) {
        const double ring = w[0] * w[0] + w[1] * w[1] - 1;
        g[0]              = 4 * ring * w[0];
        g[1]              = 4 * ring * w[1] + 1.0 / 20;
    };
    const std::vector<float> a{-1, 0}, b{1, 0};
    const auto curve = low_curve(a, b, gradient, 150, {});
    ASSERT_TRUE(curve);
    EXPECT_NEAR(highest_on(ModeCurve{{-1, 0}, {0, 0}, {1, 0}}, potential), 1, 1e-12);
    EXPECT_LT(highest_on(*curve, potential), 0.1);
    EXPECT_LT(curve->control[1], -1) << "on the lower side of the hill";
    EXPECT_EQ(low_curve(a, b, gradient, 150, {})->control, curve->control) << "the same each time";
}

TEST(LowCurve, StopsOnRequest)
{
    std::stop_source source;
    source.request_stop();
    const std::vector<float> a{1}, b{2};
    EXPECT_FALSE(low_curve(
        a, b, [](auto, auto) {}, 10, source.get_token()));
}

}   // namespace
}   // namespace credence::view_support
