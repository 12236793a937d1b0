// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/double_well.h"

#include "foundation/error.h"
#include "foundation/progress.h"
#include "unit/random_values.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace credence {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct TwoSamples {
    std::vector<double> narrow = normals(1000, 3), wide = normals(1000, 4, 1.5);
};
const TwoSamples& two_samples()
{
    static const TwoSamples made;
    return made;
}
constexpr double kliep_tolerance = 5e-3;
/// Of the narrow over the wide, width by cross-validation.
const DensityRatio& narrow_over_wide()
{
    static const DensityRatio made = kliep({two_samples().narrow}, {two_samples().wide},
                                           {.tolerance = kliep_tolerance});
    return made;
}

double ratio_at(const DensityRatio& ratio, double x) { return ratio({&x, 1}); }

/// The largest error at the places below was between 0.05 and 0.25 for twelve pairs of such samples, 0.13 for this one.
constexpr double error_of_a_thousand = 0.25;

TEST(Kliep, FindsTheRatioOfTwoGaussians)
{
    for (const double x : {-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0}) {
        const double want = 1.5 * std::exp(-x * x / 2 + x * x / (2 * 1.5 * 1.5));
        EXPECT_NEAR(ratio_at(narrow_over_wide(), x), want, error_of_a_thousand) << "at " << x;
    }
    EXPECT_LE(narrow_over_wide().gap, kliep_tolerance);
}

TEST(Kliep, OfEqualDistributionsIsOne)
{
    const auto a = normals(1000, 5), b = normals(1000, 6);
    const auto ratio = kliep({a}, {b}, {.widths = {0.8}, .tolerance = kliep_tolerance});
    for (const double x : {-1.5, -0.5, 0.0, 1.0})
        EXPECT_NEAR(ratio_at(ratio, x), 1, error_of_a_thousand) << "at " << x;
}

TEST(Kliep, KeepsBothConstraints)
{
    const auto early = kliep({two_samples().narrow}, {two_samples().wide}, {.widths = {0.5}, .max_iterations = 2});
    EXPECT_GT(early.gap, kliep_tolerance) << "a fit that ended early";
    for (const auto* ratio : {&early, &narrow_over_wide()}) {
        double mean = 0;
        for (const double r : ratio->at({two_samples().wide}))
            mean += r / static_cast<double>(two_samples().wide.size());
        EXPECT_NEAR(mean, 1, 1e-12);
        EXPECT_EQ(ratio->weights.size(), 100U);
        EXPECT_THAT(ratio->weights, ::testing::Each(::testing::Ge(0)));
    }
}

/// Two centres leave one free number: every value of it is tried.
TEST(Kliep, IsTheMaximumUpToItsGap)
{
    const std::vector<double> numerator{0, 1.2}, denominator{-0.5, 0.3, 0.9, 2};
    constexpr double width = 0.7;
    const auto ratio       = kliep({numerator}, {denominator},
                                   {.widths = {width}, .tolerance = 1e-9, .max_iterations = 100'000});
    const auto kernel      = [](double x, double c) { return std::exp(-(x - c) * (x - c) / (2 * width * width)); };
    const auto reach       = [&](double c) {
        double mean = 0;
        for (const double x : denominator)
            mean += kernel(x, c) / 4;
        return mean;
    };
    double best = -std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 10'000; ++i) {
        const double w = i / 10'000.0;
        double mean    = 0;
        for (const double x : numerator)
            mean += std::log(w * kernel(x, 0) / reach(0) + (1 - w) * kernel(x, 1.2) / reach(1.2)) / 2;
        best = std::max(best, mean);
    }
    EXPECT_NEAR((std::log(ratio_at(ratio, 0)) + std::log(ratio_at(ratio, 1.2))) / 2, best, 1e-7);
    EXPECT_LE(ratio.gap, 1e-9);
}

TEST(Kliep, UsesTheWidthWithTheHighestScore)
{
    const auto& candidates = narrow_over_wide().candidates;
    ASSERT_EQ(candidates.size(), 9U);
    const auto best = std::max_element(candidates.begin(), candidates.end(),
                                       [](const auto& a, const auto& b) { return a.score < b.score; });
    EXPECT_EQ(narrow_over_wide().width, best->width);
    EXPECT_GT(best, candidates.begin()) << "kernels that are too narrow see only their own points";
    EXPECT_LT(best, candidates.end() - 1) << "too wide ones see no structure";
}

TEST(Kliep, DoesNotDependOnTheUnitNorOnAColumnThatIsConstant)
{
    TwoSamples of = two_samples();
    of.narrow.resize(200);
    of.wide.resize(300);
    const KliepOptions options{.tolerance = kliep_tolerance};
    const auto ratio = kliep({of.narrow}, {of.wide}, options);

    auto narrow = of.narrow, wide = of.wide;
    for (auto* values : {&narrow, &wide})
        for (double& x : *values)
            x *= 1024;
    EXPECT_DOUBLE_EQ(ratio_at(kliep({narrow}, {wide}, options), 1024), ratio_at(ratio, 1));

    const auto with_column = [](const std::vector<double>& values) {
        std::vector<double> rows;
        for (const double x : values)
            rows.insert(rows.end(), {x, 7});
        return rows;
    };
    KliepOptions fixed = options;
    fixed.widths       = {ratio.width};
    const auto rows = with_column(of.narrow), more_rows = with_column(of.wide);
    const std::vector<double> place{1, 7};
    EXPECT_DOUBLE_EQ(kliep({rows, 2}, {more_rows, 2}, fixed)(place), ratio_at(kliep({of.narrow}, {of.wide}, fixed), 1));
}

TEST(Kliep, RejectsSamplesWithoutARatio)
{
    const std::vector<double> some{0, 1, 2}, none, one{1}, same{1, 1}, broken{0, 1, std::nan("")}, far{1e6, 1e6 + 1};
    const auto refuses = [](const PointRows& a, const PointRows& b, const KliepOptions& options, const char* sentence) {
        EXPECT_THAT([&] { kliep(a, b, options); }, ThrowsMessage<Error>(HasSubstr(sentence)));
    };
    refuses({none}, {some}, {}, "KLIEP: the numerator has 0 points, expected at least 2.");
    refuses({some}, {one}, {}, "KLIEP: the denominator has 1 points, expected at least 2.");
    refuses({some}, {broken}, {}, "KLIEP: the denominator: number 2 is nan, expected a finite number.");
    refuses({some, 2}, {some}, {}, "KLIEP: the numerator has 3 numbers, expected rows of 2.");
    refuses({some, 0}, {some}, {}, "expected rows of 0.");
    const std::vector<double> four{0, 1, 2, 3};
    refuses({four, 2}, {some}, {},
            "KLIEP: the numerator has 2 columns and the denominator 1, expected the same number.");
    refuses({same}, {same}, {}, "KLIEP: all points are equal, expected at least two different ones.");
    refuses({some}, {some}, {.widths = {0.5, -1}}, "KLIEP: a kernel width is -1, expected a number above 0.");
    refuses({some}, {some}, {.folds = 1}, "KLIEP: found 100 centres and 1 folds, expected at least 1 and 2.");
    refuses({some}, {far}, {.widths = {1}}, "KLIEP: for every kernel width");
}

TEST(Kliep, StopsOnRequest)
{
    std::stop_source stop;
    stop.request_stop();
    const StopScope scope(stop.get_token());
    EXPECT_THROW(kliep({two_samples().narrow}, {two_samples().wide}), Stopped);
}

}   // namespace
}   // namespace credence
