// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/training_curves.h"

#include "series_of.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;

namespace {

TrainingHistory history()
{
    TrainingHistory points(3);
    for (int i = 0; i < 3; ++i) {
        points[i].step      = 100 * i;
        points[i].kl        = 50 - i;
        points[i].kl_weight = 0.01;
        if (i > 0)
            points[i].data_loss = 1.0 / i;
        points[i].training_error = 0.1;
    }
    points[2].test_error = 0.2;
    return points;
}

}   // namespace

TEST(TrainingCurves, HoldTheStepsAtWhichAValueIsKnown)
{
    const auto curves = training_curves(history(), Task::classification);
    EXPECT_THAT(curves.data_loss.step, ElementsAre(100, 200));
    EXPECT_THAT(curves.kl.value, ElementsAre(50, 49, 48));
    EXPECT_THAT(curves.weighted_kl.value, ElementsAre(0.5, 0.49, 0.48));
    EXPECT_THAT(curves.test_error.step, ElementsAre(200));
}

TEST(TrainingCurves, ChartHasLossKlItsShareAndErrors)
{
    const auto chart = to_chart(training_curves(history(), Task::classification));
    ASSERT_EQ(chart.panels.size(), 4u);
    EXPECT_EQ(chart.panels[0].y.unit, "nats");
    EXPECT_EQ(chart.panels[1].y.unit, "nats");
    const auto errors = series_of<Line>(chart.panels[3]);
    EXPECT_EQ(errors[0].tone.kind, Tone::Kind::training);
    EXPECT_EQ(errors[1].tone.kind, Tone::Kind::test);
    EXPECT_EQ(chart.panels[3].y.label, "Share wrong");
}

TEST(TrainingCurves, OfAFamilyWithoutKlHaveNoKlPanels)
{
    auto points = history();
    for (auto& point : points)
        point.kl.reset();
    const auto chart = to_chart(training_curves(points, Task::regression));
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.panels[1].y.label, "RMSE");
}

TEST(TrainingCurves, OfSeveralRunsHaveOneCategoryARun)
{
    auto a = training_curves(history(), Task::classification), b = a;
    a.name           = "first";
    b.name           = "second";
    const auto chart = to_chart(std::vector{a, b});
    const auto loss  = series_of<Line>(chart.panels.at(0));
    EXPECT_EQ(loss[1].name, "second");
    EXPECT_EQ(loss[1].tone, category(1));
    const auto errors = series_of<Line>(chart.panels.at(3));
    EXPECT_EQ(errors[3].name, "second, test");
    EXPECT_EQ(errors[3].style, LineStyle::dashed);
}

TEST(TrainingCurves, WithoutRecordsSayWhatToDo)
{
    EXPECT_EQ(to_chart(training_curves({}, Task::classification)).message,
              "Nothing has been recorded yet: train for a moment.");
}
