// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "unit/charts/series_of.h"
#include "views/training_curves.h"

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

TEST(TrainingCurves, ContainTheStepsWithAKnownValue)
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
    EXPECT_EQ(errors[3].style, LineStyle::solid);
    EXPECT_EQ(errors[2].style, LineStyle::dashed);
}

TEST(TrainingCurves, OfARunWithValidationImagesStateThis)
{
    auto curves      = training_curves(history(), Task::classification);
    curves.test_name = "validation";
    EXPECT_EQ(series_of<Line>(to_chart(curves).panels.at(3)).at(1).name, "validation");
}

TEST(OverlayPanel, HasErrorsInPercentWithTrainingDashedAndTestSolid)
{
    auto a = training_curves(history(), Task::classification), b = a;
    a.name           = "first";
    b.name           = "second";
    b.test_name      = "validation";
    const auto panel = overlay_panel({a, b}, {});
    EXPECT_EQ(panel.y.unit, "%");
    EXPECT_FALSE(panel.y.logarithmic);
    const auto lines = series_of<Line>(panel);
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0].name, "first, training");
    EXPECT_EQ(lines[0].style, LineStyle::dashed);
    EXPECT_EQ(lines[1].name, "first, test");
    EXPECT_EQ(lines[1].style, LineStyle::solid);
    EXPECT_THAT(lines[1].y, ElementsAre(testing::DoubleNear(20, 1e-9)));
    EXPECT_EQ(lines[3].name, "second, validation");
    EXPECT_EQ(lines[3].tone, category(1));
}

TEST(OverlayPanel, OnALogarithmicAxisLeavesAGapWhereTheErrorIsZero)
{
    auto points              = history();
    points[1].training_error = 0;
    const auto lines         = series_of<Line>(
        overlay_panel({training_curves(points, Task::classification)}, {.logarithmic = true}));
    EXPECT_EQ(lines[0].name, "training");
    EXPECT_THAT(lines[0].y,
                ElementsAre(testing::DoubleNear(10, 1e-9), testing::IsNan(), testing::DoubleNear(10, 1e-9)));
}

TEST(OverlayPanel, ShowsTheLossOrTheKlInstead)
{
    auto curves     = training_curves(history(), Task::classification);
    const auto loss = overlay_panel({curves, curves}, {.quantity = curve_quantity_named("loss")});
    EXPECT_EQ(series_of<Line>(loss).size(), 2u);
    EXPECT_THAT(series_of<Line>(loss)[0].y, ElementsAre(1, 0.5));
    const auto kl = overlay_panel({curves}, {.quantity = curve_quantity_named("kl")});
    EXPECT_THAT(series_of<Line>(kl).at(0).y, ElementsAre(50, 49, 48));
    EXPECT_THAT([] { curve_quantity_named("x"); },
                testing::ThrowsMessage<Error>("--quantity is \"x\", expected one of error, loss, kl."));
}

TEST(TrainingCurves, WithoutRecordsStateWhatToDo)
{
    EXPECT_EQ(to_chart(training_curves({}, Task::classification)).message,
              "Nothing has been recorded yet. Train a few steps.");
}
