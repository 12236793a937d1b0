// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/standardiser.h"

#include <gmock/gmock.h>

#include <cmath>

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
    EXPECT_EQ(
        many.describe(table(9, {0, 0, 0, 0, 0, 0, 0, 0, 0})),
        "x1: (x − 1) / 1, x2: (x − 1) / 1, x3: (x − 1) / 1, x4: (x − 1) / 1, x5: (x − 1) / 1, x6: (x − 1) / 1, and 3 more");
}
