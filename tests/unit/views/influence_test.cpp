// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/influence.h"

#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "unit/views/linear_run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

double sd_of(const Substitutes& substitutes)
{
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < substitutes.values.size(); ++i)
        mean += substitutes.weights[i] * substitutes.values[i];
    for (std::size_t i = 0; i < substitutes.values.size(); ++i)
        variance += substitutes.weights[i] * std::pow(substitutes.values[i] - mean, 2);
    return std::sqrt(variance);
}

}   // namespace

TEST(Influence, OfALinearFunctionIsItsSlopeTimesTheSpreadOfTheInput)
{
    const auto run       = linear_run({{0.8F, 0, 0.1F, -0.3F, 0}, {0.6F, 0, 0.1F, -0.3F, 0}});
    const auto& data     = *run.experiment->data;
    const auto influence = influence_of(run, {}, {});
    ASSERT_EQ(influence->inputs.size(), 3U) << "the category is one input";
    const double spread = sd_of(substitutes_of(data.training, influence->inputs[0])) / data.inputs.sd[0];
    EXPECT_NEAR(influence->prediction[0], data.target_sd * 0.7 * spread, 1e-4 * data.target_sd);
    EXPECT_NEAR(influence->prediction[1], 0, 1e-5 * data.target_sd) << "the network does not use b";
    EXPECT_NEAR(influence->uncertainty[1], 0, 1e-5 * data.target_sd);
    const auto colours = substitutes_of(data.training, influence->inputs[2]);
    const double share = colours.weights[0];
    const double gap   = 0.1 / data.inputs.sd[2] + 0.3 / data.inputs.sd[3];   // from blue to red
    EXPECT_NEAR(influence->prediction[2], data.target_sd * gap * std::sqrt(share * (1 - share)), 1e-4 * data.target_sd);
    EXPECT_NEAR(influence->uncertainty[2], 0, 1e-5 * data.target_sd) << "all functions agree on the category";
    EXPECT_GT(influence->uncertainty[0], 1e-2 * data.target_sd);
    EXPECT_EQ(influence->ranking().back(), 1U);
}

TEST(Influence, ValuesOfAnInputAreItsNumbersOrQuantilesAndWeightsSumToOne)
{
    const auto data   = small_table();
    const auto groups = input_groups(data);
    const auto b      = substitutes_of(data, groups[1]);   // 60 different numbers
    ASSERT_EQ(b.values.size(), 10U);
    EXPECT_DOUBLE_EQ(b.values.front(), 100 + 0.05 * 59);
    const auto c = substitutes_of(data, groups[2]);
    EXPECT_THAT(c.values, testing::ElementsAre(1, 0)) << "the most frequent first";
    EXPECT_NEAR(c.weights[0], 2.0 / 3, 1e-12);
}

TEST(Influence, ChartShowsTheLargestFirstAndTheTableHasTheNumbers)
{
    const auto run    = linear_run({{0.1F, 0.9F, 0, 0, 0}, {0.1F, 0.7F, 0, 0, 0}});
    const auto chart  = drawn("influence", run);
    const auto& panel = chart.panels.at(0);
    EXPECT_EQ(panel.y.categories, (std::vector<std::string>{"b", "a", "c"}));
    const auto bars = series_of<Bars>(panel);
    ASSERT_EQ(bars.size(), 2U);
    EXPECT_EQ(bars[0].height[0], influence_of(run, {}, {})->prediction[1]);
    EXPECT_EQ(bars[1].height[0], influence_of(run, {}, {})->uncertainty[1]);
    EXPECT_EQ(std::get<std::string>(chart.table->rows[0][0]), "b");
    EXPECT_EQ(std::get<double>(chart.table->rows[0][1]), influence_of(run, {}, {})->prediction[1]);
    EXPECT_EQ(influence_of(run, {}, {}), influence_of(run, {}, {})) << "is cached";
}

TEST(Influence, OfTwoClassesIsThatOfTheProbabilityOfEither)
{
    const auto influence = influence_of(moons(), {}, {});
    ASSERT_EQ(influence->inputs.size(), 2U);
    for (const double each : influence->prediction)
        EXPECT_THAT(each, testing::AllOf(testing::Gt(0), testing::Le(0.5)));
    EXPECT_LE(*std::ranges::max_element(influence->uncertainty), std::log(2));
}
