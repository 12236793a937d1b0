// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/standardiser.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::Each;
using testing::ElementsAre;

namespace {

Dataset table(std::size_t n_features, std::initializer_list<float> numbers)
{
    Dataset data;
    data.task       = Task::regression;
    data.n_features = n_features;
    data.n_rows     = numbers.size() / n_features;
    data.inputs     = numbers;
    data.targets.assign(data.n_rows, 0.0f);
    for (std::size_t j = 0; j < n_features; ++j)
        data.feature_names.push_back("x" + std::to_string(j + 1));
    return data;
}

}   // namespace

TEST(Standardiser, TakesMeanAndStandardDeviationWithDivisorN)
{
    const Standardiser fitted = Standardiser::fit(table(2, {1, 10, 3, 10, 1, 30, 3, 30}));
    EXPECT_THAT(fitted.mean, ElementsAre(2, 20));
    EXPECT_THAT(fitted.sd, ElementsAre(1, 10));
}

TEST(Standardiser, MakesMeanZeroAndStandardDeviationOne)
{
    const Dataset data = table(1, {0.5f, 7.25f, -3, 11, 2.125f, 100});
    auto z             = data.inputs;
    Standardiser::fit(data).apply(z);
    double sum = 0, squares = 0;
    for (const float v : z)
        sum += v, squares += double(v) * v;
    EXPECT_NEAR(sum / 6, 0, 1e-7);
    EXPECT_NEAR(squares / 6, 1, 1e-6);
}

TEST(Standardiser, KeepsTheDigitsOfASmallSpreadRoundALargeMean)
{
    EXPECT_THAT(Standardiser::fit(table(1, {1e6f - 1, 1e6f + 1, 1e6f - 1, 1e6f + 1})).sd, ElementsAre(1));
}

TEST(Standardiser, LeavesAConstantFeatureItsUnit)
{
    const Dataset data        = table(2, {0.1f, 1, 0.1f, 2, 0.1f, 3});
    const Standardiser fitted = Standardiser::fit(data);
    EXPECT_EQ(fitted.mean[0], 0.1f);
    EXPECT_EQ(fitted.sd[0], 1.0f);
    auto z = data.inputs;
    fitted.apply(z);
    EXPECT_EQ(z[0], 0);
    EXPECT_EQ(z[4], 0);
}

TEST(Standardiser, OfValuesTooCloseForAFloatDividesByOne)
{
    EXPECT_THAT(Standardiser::fit(table(1, {0.0f, 1e-45f, 0.0f, 0.0f, 0.0f})).sd, Each(testing::Gt(0.0f)));
}

TEST(Standardiser, OfTheLargestFloatsStaysFinite)
{
    const Dataset data = table(1, {-3e38f, 3e38f});
    auto z             = data.inputs;
    Standardiser::fit(data).apply(z);
    EXPECT_THAT(z, ElementsAre(-1, 1));
}

TEST(Standardiser, ThereAndBackIsTheIdentity)
{
    const Dataset data        = table(2, {1.5f, -20, 0.25f, 4000, -7, 12, 3, 5});
    const Standardiser fitted = Standardiser::fit(data);
    auto z                    = data.inputs;
    fitted.apply(z);
    fitted.undo(z);
    for (std::size_t i = 0; i < z.size(); ++i)
        EXPECT_NEAR(z[i], data.inputs[i], 1e-6 * (1 + 2000.0 * (i % 2))) << "number " << i;
}

TEST(Standardiser, IdentityChangesNothing)
{
    aligned_vector<float> x{1, 2, 3, 4};
    Standardiser::identity(2).apply(x);
    EXPECT_THAT(x, ElementsAre(1, 2, 3, 4));
}

TEST(Standardiser, SaysWhatItDoes)
{
    const Dataset two = table(2, {0, 0, 0, 0});
    EXPECT_EQ((Standardiser{{0.476f, -1234.5f}, {0.8701f, 2}}.describe(two)),
              "x1: (x − 0.476) / 0.87, x2: (x + 1.23e+03) / 2");
    EXPECT_EQ(Standardiser::identity(2).describe(two), "Inputs as they are.");
    Standardiser many = Standardiser::identity(9);
    many.mean.assign(9, 1.0f);
    EXPECT_EQ(
        many.describe(table(9, {0, 0, 0, 0, 0, 0, 0, 0, 0})),
        "x1: (x − 1) / 1, x2: (x − 1) / 1, x3: (x − 1) / 1, x4: (x − 1) / 1, x5: (x − 1) / 1, x6: (x − 1) / 1, and 3 more");
}
