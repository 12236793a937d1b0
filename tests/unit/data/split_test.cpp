// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/split.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace credence;
using testing::ElementsAre;

namespace {

Dataset table(std::size_t n_features, std::initializer_list<double> numbers)
{
    Dataset data;
    data.task       = Task::regression;
    data.n_features = n_features;
    data.n_rows     = numbers.size() / n_features;
    data.inputs     = numbers;
    data.targets.assign(data.n_rows, 0);
    for (std::size_t j = 0; j < n_features; ++j)
        data.feature_names.push_back("x" + std::to_string(j + 1));
    return data;
}

}   // namespace

TEST(Standardiser, UsesMeanAndStandardDeviationWithDivisorN)
{
    const Standardiser fitted = Standardiser::fit(table(2, {1, 10, 3, 10, 1, 30, 3, 30}));
    EXPECT_THAT(fitted.mean, ElementsAre(2, 20));
    EXPECT_THAT(fitted.sd, ElementsAre(1, 10));
}

TEST(Standardiser, MakesMeanZeroAndStandardDeviationOne)
{
    const Dataset data = table(1, {0.5, 7.25, -3, 11, 2.125, 100});
    const auto z       = Standardiser::fit(data).standardised(data.inputs);
    double sum = 0, squares = 0;
    for (const float v : z)
        sum += v, squares += double(v) * v;
    EXPECT_NEAR(sum / 6, 0, 1e-7);
    EXPECT_NEAR(squares / 6, 1, 1e-6);
}

TEST(Standardiser, KeepsThePrecisionOfASmallSpreadAroundALargeMean)
{
    EXPECT_THAT(Standardiser::fit(table(1, {1e6 - 1, 1e6 + 1, 1e6 - 1, 1e6 + 1})).sd, ElementsAre(1));
}

TEST(Standardiser, DoesNotScaleAConstantFeature)
{
    const Dataset data        = table(2, {0.1, 1, 0.1, 2, 0.1, 3});
    const Standardiser fitted = Standardiser::fit(data);
    EXPECT_EQ(fitted.mean[0], 0.1);
    EXPECT_EQ(fitted.sd[0], 1);
    const auto z = fitted.standardised(data.inputs);
    EXPECT_EQ(z[0], 0);
    EXPECT_EQ(z[4], 0);
}

TEST(Standardiser, DoesNotScaleAColumnThatVariesOnlyInTheLastDigit)
{
    EXPECT_THAT(Standardiser::fit(table(1, {0.3, 0.1 + 0.2, 0.3})).sd, ElementsAre(1));
}

TEST(Standardiser, KeepsUnixTimesAndJulianDatesApart)
{
    std::vector<double> seconds, days;
    for (int i = 0; i <= 100; ++i) {
        seconds.push_back(1.7e9 + i);
        days.push_back(2459000 + 0.001 * i);
    }
    for (const auto& column : {seconds, days}) {
        Dataset data = table(1, {});
        data.n_rows  = column.size();
        data.inputs  = column;
        auto shifted = data;
        for (double& x : shifted.inputs)
            x -= column.front();
        const auto fitted    = Standardiser::fit(data);
        const auto z         = fitted.standardised(data.inputs),
                   from_zero = Standardiser::fit(shifted).standardised(shifted.inputs);
        for (std::size_t i = 0; i < z.size(); ++i)
            EXPECT_NEAR(z[i], from_zero[i], 1e-6) << i;
        const auto back = fitted.undone(z);
        for (std::size_t i = 0; i < z.size(); ++i)
            EXPECT_NEAR(back[i], column[i], 1e-6 * (column.back() - column.front())) << i;
    }
}

TEST(Standardiser, OfOrdinaryNumbersIsMadeOfFloats)   // so that runs of earlier versions keep their bits
{
    const auto fitted = Standardiser::fit(table(2, {0.1, 10, 0.7, 1000, -0.4, 35, 0.3, 1e5}));
    for (const auto& numbers : {fitted.mean, fitted.sd})
        for (const double number : numbers)
            EXPECT_EQ(number, static_cast<double>(static_cast<float>(number)));
}

TEST(Standardiser, OfTheSmallestAndTheLargestFloatsStaysFinite)
{
    for (const double size : {1e-150, 1e-45, 3e38}) {
        const Dataset data = table(1, {-size, size});
        EXPECT_THAT(Standardiser::fit(data).standardised(data.inputs), ElementsAre(-1, 1)) << size;
    }
    const Dataset tiny = table(1, {-1e-300, 1e-300});
    EXPECT_THAT(Standardiser::fit(tiny).sd, ElementsAre(1));
}

TEST(Standardiser, RoundTripIsTheIdentity)
{
    const Dataset data        = table(2, {1.5, -20, 0.25, 4000, -7, 12, 3, 5});
    const Standardiser fitted = Standardiser::fit(data);
    const auto back           = fitted.undone(fitted.standardised(data.inputs));
    for (std::size_t i = 0; i < back.size(); ++i)
        EXPECT_NEAR(back[i], data.inputs[i], 1e-6 * (1 + 2000.0 * static_cast<double>(i % 2))) << "number " << i;
}

TEST(Standardiser, OfPixelsInPlaceIsTheSame)
{
    const Standardiser halves{{10, 20}, {2, 4}};
    std::vector<float> x{12, 24, 8, 20};
    halves.apply(x);
    EXPECT_THAT(x, ElementsAre(1, 1, -1, 0));
    halves.undo(x);
    EXPECT_THAT(x, ElementsAre(12, 24, 8, 20));
}

TEST(Standardiser, IdentityChangesNothing)
{
    EXPECT_THAT(Standardiser::identity(2).standardised(std::vector<double>{1, 2, 3, 4}), ElementsAre(1, 2, 3, 4));
}

TEST(Standardiser, DescribesItself)
{
    const Dataset two = table(2, {0, 0, 0, 0});
    EXPECT_EQ((Standardiser{{0.476, -1234.5}, {0.8701, 2}}.describe(two)),
              "x1: (x − 0.476) / 0.87, x2: (x + 1.23e+03) / 2");
    EXPECT_EQ(Standardiser::identity(2).describe(two), "Inputs not standardised.");
    Standardiser many = Standardiser::identity(9);
    many.mean.assign(9, 1);
    EXPECT_EQ(many.describe(table(9, {0, 0, 0, 0, 0, 0, 0, 0, 0})),
              "x1: (x − 1) / 1, x2: (x − 1) / 1, x3: (x − 1) / 1, x4: (x − 1) / 1, x5: (x − 1) / 1, x6: (x − 1) / 1, "
              "and 3 more");
}

namespace {

/// Row i holds the input i and the target 2 i: a row is known by its number.
Dataset numbered(std::size_t n)
{
    Dataset data;
    data.name          = "Numbers";
    data.task          = Task::regression;
    data.n_rows        = n;
    data.n_features    = 1;
    data.feature_names = {"x"};
    for (std::size_t i = 0; i < n; ++i) {
        data.inputs.push_back(static_cast<double>(i));
        data.targets.push_back(static_cast<double>(2 * i));
    }
    return data;
}

Dataset labelled(std::size_t n)
{
    Dataset data     = numbered(n);
    data.task        = Task::classification;
    data.class_names = {"even", "odd"};
    data.targets.clear();
    for (std::size_t i = 0; i < n; ++i)
        data.labels.push_back(static_cast<int>(i % 2));
    return data;
}

}   // namespace

TEST(Split, PutsEveryRowIntoExactlyOnePartWithItsTarget)
{
    const SplitData parts = split(numbered(103), {.test_fraction = 0.3, .seed = 5});
    ASSERT_EQ(parts.test.n_rows, 31u);
    ASSERT_EQ(parts.training.n_rows, 72u);
    std::vector<double> all(parts.test.inputs.begin(), parts.test.inputs.end());
    all.insert(all.end(), parts.training.inputs.begin(), parts.training.inputs.end());
    std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i < 103; ++i)
        EXPECT_EQ(all[i], static_cast<double>(i));
    for (std::size_t i = 0; i < 31; ++i)
        EXPECT_EQ(parts.test.targets[i], 2 * parts.test.inputs[i]);
    for (std::size_t i = 0; i < 72; ++i)
        EXPECT_EQ(parts.training.targets[i], 2 * parts.training.inputs[i]);
}

TEST(Split, KeepsTheOrderOfTheDataInEachPart)
{
    const SplitData parts = split(numbered(200), {.test_fraction = 0.5});
    EXPECT_TRUE(std::is_sorted(parts.training.inputs.begin(), parts.training.inputs.end()));
    EXPECT_TRUE(std::is_sorted(parts.test.inputs.begin(), parts.test.inputs.end()));
}

TEST(Split, IsAFunctionOfItsSeed)
{
    const Dataset data = numbered(100);
    EXPECT_EQ(split(data, {.seed = 1}).test.inputs, split(data, {.seed = 1}).test.inputs);
    EXPECT_NE(split(data, {.seed = 1}).test.inputs, split(data, {.seed = 2}).test.inputs);
}

TEST(Split, DrawsEachRowAboutEquallyOften)
{
    const Dataset data = numbered(10);
    std::vector<int> times(10, 0);
    for (std::uint64_t seed = 0; seed < 2000; ++seed)
        for (const double x : split(data, {.test_fraction = 0.3, .seed = seed}).test.inputs)
            ++times[static_cast<std::size_t>(x)];
    for (std::size_t i = 0; i < 10; ++i)
        EXPECT_NEAR(times[i], 600, 5 * 20.5) << "row " << i;   // sd of Binomial(2000, 0.3) is 20.5
}

TEST(Split, LeavesAtLeastOneRowForTraining)
{
    EXPECT_EQ(split(numbered(3), {.test_fraction = 0.99}).training.n_rows, 1u);
    EXPECT_EQ(split(numbered(1), {.test_fraction = 0.9}).training.n_rows, 1u);
}

TEST(Split, WithoutATestPartKeepsAllRows)
{
    const SplitData parts = split(numbered(20), {.test_fraction = 0});
    EXPECT_EQ(parts.training.inputs, numbered(20).inputs);
    EXPECT_EQ(parts.test.n_rows, 0u);
    EXPECT_TRUE(parts.test_inputs.empty());
}

TEST(Split, StandardisesBothPartsByTheTrainingPartAlone)
{
    const SplitData parts = split(numbered(50), {.test_fraction = 0.4, .seed = 3});
    EXPECT_EQ(parts.inputs, Standardiser::fit(parts.training));
    EXPECT_EQ(parts.training_inputs, parts.inputs.standardised(parts.training.inputs));
    EXPECT_EQ(parts.test_inputs, parts.inputs.standardised(parts.test.inputs));
    EXPECT_NE(parts.training_inputs[0], static_cast<float>(parts.training.inputs[0]));
}

TEST(Split, CanLeaveInputsAndTargetsUnchanged)
{
    const SplitData parts = split(numbered(50), {.standardise_inputs = false});
    EXPECT_EQ(parts.inputs, Standardiser::identity(1));
    EXPECT_TRUE(std::ranges::equal(parts.training_inputs, parts.training.inputs));
    EXPECT_EQ(parts.target_mean, 0);
    EXPECT_EQ(parts.target_sd, 1);
    EXPECT_TRUE(std::equal(parts.test_targets.begin(), parts.test_targets.end(), parts.test.targets.begin(),
                           parts.test.targets.end()));
}

TEST(Split, StandardisesTargetsOfRegressionIfAsked)
{
    const SplitData parts = split(numbered(50), {.standardise_targets = true});
    double sum = 0, squares = 0;
    for (const float y : parts.training_targets)
        sum += y, squares += double(y) * y;
    EXPECT_NEAR(sum / 40, 0, 1e-6);
    EXPECT_NEAR(squares / 40, 1, 1e-6);
    for (std::size_t i = 0; i < parts.test.n_rows; ++i)
        EXPECT_NEAR(parts.test_targets[i] * parts.target_sd + parts.target_mean, parts.test.targets[i], 1e-4);
}

TEST(Split, OfTimestampsAsTargetsKeepsThemApart)
{
    Dataset data = numbered(50);
    for (double& y : data.targets)
        y += 1.7e9;
    const SplitData parts = split(data, {.standardise_targets = true});
    for (std::size_t i = 0; i < parts.test.n_rows; ++i)
        EXPECT_NEAR(static_cast<double>(parts.test_targets[i]) * parts.target_sd + parts.target_mean,
                    parts.test.targets[i], 1e-4);
}

TEST(Split, OfClassesKeepsLabelsAndHasNoTargets)
{
    const SplitData parts = split(labelled(50), {.standardise_targets = true});
    for (std::size_t i = 0; i < parts.training.n_rows; ++i)
        EXPECT_EQ(parts.training.labels[i], static_cast<int>(parts.training.inputs[i]) % 2);
    EXPECT_TRUE(parts.training_targets.empty());
    EXPECT_TRUE(parts.test_targets.empty());
}

TEST(Split, RejectsFractionsOutsideTheirRange)
{
    const auto sentence = [](double fraction) {
        return refusal([&] { split(numbered(5), {.test_fraction = fraction}); });
    };
    EXPECT_EQ(sentence(1), "split.test_fraction | Test fraction is 1, expected a number from 0 to below 1.");
    EXPECT_EQ(sentence(-0.1), "split.test_fraction | Test fraction is -0.1, expected a number from 0 to below 1.");
    EXPECT_EQ(sentence(std::numeric_limits<double>::quiet_NaN()),
              "split.test_fraction | Test fraction is nan, expected a number from 0 to below 1.");
}

TEST(Split, RejectsInconsistentData)
{
    Dataset data = numbered(5);
    data.targets.pop_back();
    EXPECT_EQ(refusal([&] { split(data, {}); }), "Numbers: found 4 targets, expected 5.");
}

TEST(Split, SetsCalibrationRowsAsideFromTheTrainingRowsOnly)
{
    const SplitOptions plain{.test_fraction = 0.2, .seed = 4, .standardise_targets = true};
    SplitOptions options         = plain;
    options.calibration_fraction = 0.25;
    const SplitData before = split(numbered(100), plain), parts = split(numbered(100), options);
    EXPECT_EQ(parts.test.inputs, before.test.inputs) << "the test rows stay";
    EXPECT_EQ(before.calibration.n_rows, 0u);
    ASSERT_EQ(parts.calibration.n_rows, 20u);
    std::vector<double> both = parts.training.inputs;
    both.insert(both.end(), parts.calibration.inputs.begin(), parts.calibration.inputs.end());
    std::sort(both.begin(), both.end());
    EXPECT_EQ(both, before.training.inputs) << "no row is lost or used twice";

    EXPECT_EQ(parts.inputs, Standardiser::fit(parts.training)) << "scales of the rows that are trained on";
    EXPECT_EQ(parts.calibration_inputs, parts.inputs.standardised(parts.calibration.inputs));
    for (std::size_t i = 0; i < parts.calibration.n_rows; ++i)
        EXPECT_NEAR(parts.calibration_targets[i] * parts.target_sd + parts.target_mean, parts.calibration.targets[i],
                    1e-4);
    EXPECT_EQ(refusal([] { split(numbered(5), {.calibration_fraction = 1}); }),
              "split.calibration_fraction | Calibration fraction is 1, expected a number from 0 to below 1.");
}
