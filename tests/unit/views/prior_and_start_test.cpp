// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/charts/series_of.h"
#include "views/weights.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {

ParameterLayout layout()
{
    return {{Block{"dense 1 weights", BlockKind::weights, 0, 0, 4, 2, 2},
             Block{"dense 1 biases", BlockKind::biases, 0, 4, 2, 2, 2}}};
}

double area(const std::vector<double>& x, const std::vector<double>& y)
{
    double sum = 0;
    for (std::size_t i = 1; i < x.size(); ++i)
        sum += 0.5 * (y[i] + y[i - 1]) * (x[i] - x[i - 1]);
    return sum;
}

}   // namespace

TEST(PriorAndStart, StartIsTheMixtureOfAllWeightsOfTheKind)
{
    const std::vector<float> mean{-1, 0, 1, 2, 0, 0}, sd{0.5f, 0.5f, 0.5f, 0.5f, 0.25f, 0.25f};
    const auto value = prior_and_start(layout(), Prior::same(layout(), GaussianPrior{0, 1}), mean, sd);
    ASSERT_EQ(value.kinds.size(), 2u);
    const auto& weights = value.kinds[0];
    EXPECT_EQ(weights.n, 4u);
    EXPECT_DOUBLE_EQ(weights.mean, 0.5);
    EXPECT_NEAR(weights.sd, std::sqrt(1.25 + 0.25), 1e-12);
    for (std::size_t i = 0; i < weights.x.size(); ++i) {
        double density = 0;
        for (int j = 0; j < 4; ++j)
            density += normal_density(weights.x[i], mean[j], sd[j]) / 4;
        ASSERT_NEAR(weights.start[i], density, 1e-12);
        ASSERT_NEAR(weights.prior[i], normal_density(weights.x[i], 0, 1), 1e-12);
    }
    EXPECT_NEAR(area(value.kinds[1].x, value.kinds[1].start), 1, 1e-3);
}

TEST(PriorAndStart, ChartHasOnePanelAKindWithPriorAndStart)
{
    const std::vector<float> mean{-1, 0, 1, 2, 0, 0}, sd(6, 0.5f);
    const auto chart = to_chart(prior_and_start(layout(), Prior::same(layout(), GaussianPrior{0, 1}), mean, sd));
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.panels[1].title, "Biases");
    const auto lines = series_of<Line>(chart.panels[0]);
    EXPECT_EQ(lines[0].tone.kind, Tone::Kind::prior);
    EXPECT_EQ(lines[1].tone.kind, Tone::Kind::posterior);
}

TEST(PriorAndStart, AStartWithoutSpreadIsAHistogramAndAConstantOneIsALine)
{
    const std::vector<float> mean{-1, 0, 1, 2, 0, 0}, sd(6, 0.0f);
    const auto chart = to_chart(prior_and_start(layout(), Prior::same(layout(), GaussianPrior{0, 1}), mean, sd));
    EXPECT_EQ(series_of<Bars>(chart.panels.at(0)).size(), 1u);
    EXPECT_EQ(series_of<Rule>(chart.panels.at(1)).at(0).at, 0);
}

TEST(PriorAndStart, WithoutWeightsStatesThis)
{
    EXPECT_EQ(to_chart(prior_and_start({}, {}, {}, {})).message, "This network has no weights.");
}
