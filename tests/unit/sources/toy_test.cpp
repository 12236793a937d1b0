// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/toy.h"

#include "unit/refusal.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>

using namespace credence;

namespace {

constexpr double pi           = std::numbers::pi;
constexpr ToyKind all_kinds[] = {ToyKind::two_moons,      ToyKind::circles,        ToyKind::spirals,
                                 ToyKind::xor_squares,    ToyKind::blobs,          ToyKind::four_gaussians,
                                 ToyKind::blundell_curve, ToyKind::cubic,          ToyKind::sine_gap,
                                 ToyKind::step,           ToyKind::heteroscedastic};

ToyOptions of(ToyKind kind, int n = 400)
{
    ToyOptions options;
    options.kind  = kind;
    options.n     = n;
    options.noise = default_noise(kind);
    return options;
}

std::vector<int> class_counts(const Dataset& data)
{
    std::vector<int> counts(data.n_classes(), 0);
    for (const int label : data.labels)
        ++counts[static_cast<std::size_t>(label)];
    return counts;
}

struct Moments {
    double mean = 0, sd = 0;
};

Moments moments(const std::vector<double>& v)
{
    Moments m;
    for (const double x : v)
        m.mean += x / double(v.size());
    for (const double x : v)
        m.sd += (x - m.mean) * (x - m.mean) / double(v.size());
    m.sd = std::sqrt(m.sd);
    return m;
}

/// y − curve(x) of all rows with x in [from, to)
std::vector<double> residuals(const Dataset& data, ToyKind kind, double from, double to)
{
    std::vector<double> r;
    for (std::size_t i = 0; i < data.n_rows; ++i)
        if (data.inputs[i] >= from && data.inputs[i] < to)
            r.push_back(data.targets[i] - noise_free(kind, data.inputs[i]));
    return r;
}

}   // namespace

TEST(Toy, OfEveryKindIsAValidDataSet)
{
    for (const ToyKind kind : all_kinds) {
        const Dataset data = make_toy(of(kind));
        EXPECT_NO_THROW(data.check()) << title_of(kind);
        EXPECT_EQ(data.n_rows, 400u) << title_of(kind);
        EXPECT_EQ(data.task, task_of(kind)) << title_of(kind);
        EXPECT_EQ(data.n_features, data.task == Task::classification ? 2u : 1u) << title_of(kind);
        EXPECT_EQ(data.name, title_of(kind));
    }
}

TEST(Toy, IsAFunctionOfItsSeed)
{
    for (const ToyKind kind : all_kinds) {
        ToyOptions options = of(kind);
        const Dataset one = make_toy(options), again = make_toy(options);
        EXPECT_EQ(one.inputs, again.inputs) << title_of(kind);
        EXPECT_EQ(one.labels, again.labels) << title_of(kind);
        EXPECT_EQ(one.targets, again.targets) << title_of(kind);
        options.seed = 2;
        EXPECT_NE(one.inputs, make_toy(options).inputs) << title_of(kind);
    }
}

TEST(Toy, SharesItsRowsEquallyAmongTheClasses)
{
    using testing::ElementsAre;
    EXPECT_THAT(class_counts(make_toy(of(ToyKind::two_moons, 501))), ElementsAre(251, 250));
    EXPECT_THAT(class_counts(make_toy(of(ToyKind::spirals, 11))), ElementsAre(4, 4, 3));
    EXPECT_THAT(class_counts(make_toy(of(ToyKind::blobs, 300))), ElementsAre(100, 100, 100));
    EXPECT_THAT(class_counts(make_toy(of(ToyKind::four_gaussians, 402))), ElementsAre(101, 101, 100, 100));
}

TEST(Toy, OfTwoClassesFollowsTheClassRatio)
{
    using testing::ElementsAre;
    for (const ToyKind kind : {ToyKind::two_moons, ToyKind::circles, ToyKind::xor_squares}) {
        ToyOptions options  = of(kind, 200);
        options.class_ratio = 0.15;
        EXPECT_THAT(class_counts(make_toy(options)), ElementsAre(30, 170)) << title_of(kind);
        options.class_ratio = 1e-9;
        EXPECT_THAT(class_counts(make_toy(options)), ElementsAre(1, 199))
            << title_of(kind) << ": no class is ever empty";
        options.class_ratio = 1 - 1e-9;
        EXPECT_THAT(class_counts(make_toy(options)), ElementsAre(199, 1)) << title_of(kind);
    }
}

TEST(Toy, ShufflesItsRows)
{
    for (const ToyKind kind : all_kinds) {
        if (task_of(kind) != Task::classification)
            continue;
        const Dataset data = make_toy(of(kind));
        int changes        = 0;
        for (std::size_t i = 1; i < data.n_rows; ++i)
            changes += data.labels[i] != data.labels[i - 1];
        EXPECT_GT(changes, 150) << title_of(kind);   // 200 on average for two classes, 3 in sorted data
    }
}

TEST(TwoMoons, WithoutNoiseAreTwoInterleavingHalfCircles)
{
    ToyOptions options = of(ToyKind::two_moons);
    options.noise      = 0;
    const Dataset data = make_toy(options);
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        const double x = data.row(i)[0], y = data.row(i)[1];
        const bool upper = data.labels[i] == 0;
        EXPECT_NEAR(upper ? std::hypot(x, y) : std::hypot(x - 1, y - 0.5), 1, 1e-6);
        EXPECT_TRUE(upper ? y > -1e-6 : y < 0.5 + 1e-6) << "row " << i;
    }
    const auto [left, right] = std::minmax_element(data.inputs.begin(), data.inputs.end());
    EXPECT_FLOAT_EQ(*left, -1);
    EXPECT_FLOAT_EQ(*right, 2);
}

TEST(Circles, WithoutNoiseHaveRadiusOneAndOneHalf)
{
    ToyOptions options = of(ToyKind::circles);
    options.noise      = 0;
    const Dataset data = make_toy(options);
    for (std::size_t i = 0; i < data.n_rows; ++i)
        EXPECT_NEAR(std::hypot(data.row(i)[0], data.row(i)[1]), data.labels[i] == 0 ? 1 : 0.5, 1e-6);
}

TEST(Spirals, AreOneArmTurned)
{
    ToyOptions options = of(ToyKind::spirals, 500);
    options.noise      = 0;
    options.classes    = 5;
    const Dataset data = make_toy(options);
    EXPECT_EQ(data.n_classes(), 5u);
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        const double x = data.row(i)[0], y = data.row(i)[1], r = std::hypot(x, y);
        EXPECT_GE(r, 0.1 - 1e-6);
        EXPECT_LE(r, 1 + 1e-6);
        const double turns = std::atan2(y, x) / (2 * pi) - data.labels[i] / 5.0 - r;
        EXPECT_NEAR(turns, std::round(turns), 1e-5) << "row " << i;
    }
}

TEST(XorSquares, HaveTheirClassInTheSigns)
{
    ToyOptions options = of(ToyKind::xor_squares);
    options.noise      = 0;
    const Dataset data = make_toy(options);
    std::vector<int> in_quadrant(4, 0);
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        const double x = data.row(i)[0], y = data.row(i)[1];
        EXPECT_EQ(data.labels[i], (x > 0) != (y > 0));
        EXPECT_TRUE(std::fabs(x) >= 0.1 && std::fabs(x) <= 1 && std::fabs(y) >= 0.1 && std::fabs(y) <= 1)
            << x << ", " << y;
        ++in_quadrant[static_cast<std::size_t>(2 * (x > 0) + (y > 0))];
    }
    EXPECT_THAT(in_quadrant, testing::Each(100));
}

TEST(Blobs, HaveSeparateCentresThatTheSeedTurns)
{
    for (const int K : {2, 3, 8, 30}) {
        ToyOptions options = of(ToyKind::blobs, K);
        options.classes    = K;
        options.noise      = 0;
        const Dataset data = make_toy(options);   // one row a class: the centres
        for (std::size_t i = 0; i < data.n_rows; ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GE(std::hypot(data.row(i)[0] - data.row(j)[0], data.row(i)[1] - data.row(j)[1]), 1.5 - 1e-5)
                    << K << " blobs";
    }
}

TEST(FourGaussians, HaveTheNoiseAsStandardDeviationAroundTheirCentres)
{
    const Dataset data        = make_toy(of(ToyKind::four_gaussians, 8000));
    const double centre[4][2] = {{2, 2}, {-2, 2}, {-2, -2}, {2, -2}};
    for (int k = 0; k < 4; ++k)
        for (std::size_t axis = 0; axis < 2; ++axis) {
            std::vector<double> values;
            for (std::size_t i = 0; i < data.n_rows; ++i)
                if (data.labels[i] == k)
                    values.push_back(data.row(i)[axis]);
            const auto [mean, sd] = moments(values);
            EXPECT_NEAR(mean, centre[k][axis], 5 * 0.5 / std::sqrt(2000.0)) << "class " << k << ", axis " << axis;
            EXPECT_NEAR(sd, 0.5, 5 * 0.5 / std::sqrt(4000.0)) << "class " << k << ", axis " << axis;
        }
}

TEST(BlundellCurve, MatchesTheReferenceValues)
{
    std::ifstream file(CREDENCE_REFERENCE_DIR "/tasks.json");
    const auto curve = nlohmann::json::parse(file).at("regression_curve");
    ASSERT_EQ(curve.at("x").size(), 8u);
    for (std::size_t i = 0; i < 8; ++i) {
        const double x = curve["x"][i], epsilon = curve["eps"][i];
        EXPECT_NEAR(blundell_curve(x, epsilon), curve["y"][i].get<double>(), 1e-12);
        EXPECT_NEAR(noise_free(ToyKind::blundell_curve, x), curve["y_noise_free"][i].get<double>(), 1e-12);
    }
}

TEST(BlundellCurve, HasTheResidualsOfBothReadingsOfItsNoise)
{
    // The root mean square of y(x, ε) − y(x, 0) over x in [0, ½], by quadrature: 0.0625 if 0.02 is
    // the standard deviation, 0.3476 if it is the variance, for which the noise is larger than the
    // curve.
    const auto expected = [](double sd) {
        double sum = 0;
        for (int i = 0; i < 200; ++i)
            for (int j = 0; j < 400; ++j) {
                const double x = (i + 0.5) / 400, z = (j - 199.5) / 25;
                const double r = blundell_curve(x, sd * z) - blundell_curve(x, 0);
                sum += r * r * std::exp(-z * z / 2) / std::sqrt(2 * pi) / 25 / 200;
            }
        return std::sqrt(sum);
    };
    EXPECT_NEAR(expected(0.02), 0.0625, 5e-5);
    EXPECT_NEAR(expected(std::sqrt(0.02)), 0.3476, 5e-5);

    ToyOptions options = of(ToyKind::blundell_curve, 40000);
    const auto rms     = [&] {
        double sum = 0;
        for (const double r : residuals(make_toy(options), options.kind, 0, 1))
            sum += r * r;
        return std::sqrt(sum / options.n);
    };
    EXPECT_NEAR(rms(), 0.0625, 5 * 0.0804 / 200);   // 5 standard deviations of the rms of 40000 draws
    options.curve_noise = CurveNoise::variance;
    EXPECT_NEAR(rms(), 0.3476, 5 * 0.380 / 200);
}

TEST(RegressionToys, WithoutNoiseAreOnTheirCurve)
{
    for (const ToyKind kind : all_kinds) {
        if (task_of(kind) != Task::regression)
            continue;
        ToyOptions options = of(kind);
        options.noise      = 0;
        for (const double r : residuals(make_toy(options), kind, -10, 10))
            EXPECT_NEAR(r, 0, 3e-5) << title_of(kind);   // x is a float: 48 · 2.4e-7
    }
}

TEST(RegressionToys, HaveTheirInputsInTheirRange)
{
    const auto range = [](ToyKind kind) {
        const Dataset data     = make_toy(of(kind, 5000));
        const auto [low, high] = std::minmax_element(data.inputs.begin(), data.inputs.end());
        return std::pair<double, double>(*low, *high);
    };
    const auto near = [](double low, double high) {
        return testing::Pair(testing::DoubleNear(low, 0.02), testing::DoubleNear(high, 0.02));
    };
    EXPECT_THAT(range(ToyKind::blundell_curve), near(0, 0.5));
    EXPECT_THAT(range(ToyKind::cubic), near(-4, 4));
    EXPECT_THAT(range(ToyKind::sine_gap), near(-1, 1));
    EXPECT_THAT(range(ToyKind::step), near(-1, 1));
    EXPECT_THAT(range(ToyKind::heteroscedastic), near(0, 1));
}

TEST(SineGap, HasNoPointInItsGapAndEqualNumbersOnEachSide)
{
    const Dataset data = make_toy(of(ToyKind::sine_gap, 10000));
    int left           = 0;
    for (const float x : data.inputs) {
        EXPECT_TRUE(std::fabs(x) >= 0.2999f && std::fabs(x) <= 1) << x;
        left += x < 0;
    }
    EXPECT_NEAR(left, 5000, 5 * 50);
}

TEST(RegressionToys, HaveTheNoiseAsStandardDeviationOfTheirResiduals)
{
    for (const ToyKind kind : {ToyKind::cubic, ToyKind::sine_gap, ToyKind::step}) {
        const auto [mean, sd] = moments(residuals(make_toy(of(kind, 20000)), kind, -10, 10));
        EXPECT_NEAR(mean / default_noise(kind), 0, 5 / std::sqrt(20000.0)) << title_of(kind);
        EXPECT_NEAR(sd / default_noise(kind), 1, 5 / std::sqrt(40000.0)) << title_of(kind);
    }
}

TEST(GrowingNoise, GrowsTenfoldFromLeftToRight)
{
    const Dataset data = make_toy(of(ToyKind::heteroscedastic, 100000));
    const double left  = moments(residuals(data, ToyKind::heteroscedastic, 0, 0.02)).sd;
    const double right = moments(residuals(data, ToyKind::heteroscedastic, 0.98, 1)).sd;
    EXPECT_NEAR(left, 0.5 * 0.109, 0.5 * 0.109 * 0.09);
    EXPECT_NEAR(right, 0.5 * 0.991, 0.5 * 0.991 * 0.09);
}

TEST(Toy, RejectsOptionsOutOfRangeAndNamesTheField)
{
    const auto sentence = [](ToyKind kind, auto spoil) {
        ToyOptions options = of(kind);
        spoil(options);
        return refusal([&] { make_toy(options); });
    };
    EXPECT_EQ(sentence(ToyKind::two_moons, [](ToyOptions& o) { o.n = 1; }),
              "data.n | Number of points is 1, expected 2 to 1000000.");
    EXPECT_EQ(sentence(ToyKind::cubic, [](ToyOptions& o) { o.n = 1'000'001; }),
              "data.n | Number of points is 1000001, expected 2 to 1000000.");
    EXPECT_EQ(sentence(ToyKind::four_gaussians, [](ToyOptions& o) { o.n = 3; }),
              "data.n | Number of points is 3, expected at least one for each of the 4 classes.");
    EXPECT_EQ(sentence(ToyKind::step, [](ToyOptions& o) { o.noise = -0.5; }),
              "data.noise | Noise is -0.5, expected a number from 0 to 1e+06.");
    EXPECT_EQ(sentence(ToyKind::circles, [](ToyOptions& o) { o.noise = std::numeric_limits<double>::infinity(); }),
              "data.noise | Noise is inf, expected a number from 0 to 1e+06.");
    EXPECT_EQ(sentence(ToyKind::circles, [](ToyOptions& o) { o.noise = std::nan(""); }),
              "data.noise | Noise is nan, expected a number from 0 to 1e+06.");
    EXPECT_EQ(sentence(ToyKind::two_moons, [](ToyOptions& o) { o.class_ratio = 1; }),
              "data.class_ratio | Share of class 0 is 1, expected a number above 0 and below 1.");
    EXPECT_EQ(sentence(ToyKind::blobs, [](ToyOptions& o) { o.classes = 1; }),
              "data.classes | Number of classes is 1, expected 2 to 100.");
    EXPECT_EQ(sentence(ToyKind::spirals, [](ToyOptions& o) { o.classes = 101; }),
              "data.classes | Number of classes is 101, expected 2 to 100.");
}

TEST(Toy, IgnoresOptionsOfOtherKinds)
{
    ToyOptions options  = of(ToyKind::cubic);
    options.class_ratio = 7;
    options.classes     = -1;
    EXPECT_EQ(refusal([&] { make_toy(options); }), "");
}

TEST(Toy, BlundellsCurveIsShownFromMinusAFifthToSixFifths)
{
    EXPECT_EQ(shown_range(ToyKind::blundell_curve), std::pair(-0.2, 1.2));
}

TEST(Toy, CurvesAreShownWellBeyondTheirData)
{
    for (const ToyKind kind : all_kinds) {
        if (task_of(kind) != Task::regression)
            continue;
        const auto data          = make_toy({.kind = kind, .n = 500, .noise = default_noise(kind)});
        const auto [low, high]   = std::minmax_element(data.inputs.begin(), data.inputs.end());
        const auto [first, last] = shown_range(kind);
        EXPECT_LE(first, *low - 0.4 * (*high - *low)) << title_of(kind);
        EXPECT_GE(last, *high + 0.4 * (*high - *low)) << title_of(kind);
    }
}

TEST(Toy, CurvesBelongToRegressionOnly)
{
    EXPECT_EQ(refusal([] { shown_range(ToyKind::circles); }),
              "Circles has classes and no curve, expected toy data for regression.");
    EXPECT_EQ(refusal([] { noise_free(ToyKind::circles, 0); }),
              "Circles has classes and no curve, expected toy data for regression.");
}
