// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>

using namespace credence;

TEST(Picture, AClickInTheMapChoosesTheInputThatAllViewsFollow)
{
    WindowDriver window;
    const auto before = data_table(window->panel("boxplots")->chart()).rows;
    window.clickMap(1.0, 0.5);
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_EQ(window->viewOptions().input.size(), 2U);
    EXPECT_NEAR(window->viewOptions().input[0], 1.0, 0.05);
    EXPECT_NEAR(window->viewOptions().input[1], 0.5, 0.05);
    EXPECT_THAT(window.find<QLabel>("chosenInput")->text().toStdString(), testing::HasSubstr("x1 = "));
    EXPECT_NE(data_table(window->panel("boxplots")->chart()).rows, before);
}

TEST(Picture, ARowOfTheTestSetCanBeChosen)
{
    WindowDriver window;
    auto* row = window.find<QSpinBox>("inputRow");
    EXPECT_EQ(row->text(), QStringLiteral("test row 0"));
    window.clickMap(1.0, 0.5);
    EXPECT_EQ(row->text(), QStringLiteral("map point"));
    row->stepUp();
    EXPECT_EQ(row->text(), QStringLiteral("test row 0"));
    EXPECT_TRUE(window->viewOptions().input.empty());
    EXPECT_EQ(window->viewOptions().row, 0U);
    row->setValue(7);
    EXPECT_EQ(window->viewOptions().row, 7U);
    row->setValue(-3);   // no map point to go back to
    EXPECT_EQ(row->value(), 0);
}

TEST(Picture, EveryQuantityOfTheMapIsDrawn)
{
    WindowDriver window;
    auto* quantity = window.find<QComboBox>("mapQuantity");
    ASSERT_EQ(quantity->count(), 5);
    for (int i = 0; i < quantity->count(); ++i) {
        quantity->setCurrentIndex(i);
        ASSERT_TRUE(window.waitForPictures());
        const auto& chart = window->panel("decision_map")->chart();
        EXPECT_TRUE(chart.message.empty()) << chart.message;
        EXPECT_EQ(static_cast<int>(window->viewOptions().map_quantity), quantity->itemData(i).toInt());
    }
}

TEST(Picture, AStrokeDrawsPointsOfTheChosenClassAndIsOneStepOfUndo)
{
    WindowDriver window;
    const Study before = window.study();
    window.clickButton("toolDraw1");
    window.dragMap(-1.5, 1.5, 2.0, 1.5);
    EXPECT_EQ(window.study().data.source, DataSource::drawn);
    ASSERT_GT(window.study().data.points.size(), 505U);   // the 500 of the toy and those of the stroke
    EXPECT_EQ(window.study().data.points.back().label, 1);
    EXPECT_NEAR(window.study().data.points.back().y, 1.5, 0.1);
    EXPECT_TRUE(window.waitForState(Session::State::ready));
    window->undoStack().undo();
    EXPECT_TRUE(window.study() == before);
}

TEST(Picture, AClickInDrawModeSetsOnePoint)
{
    WindowDriver window;
    window.clickButton("toolDraw0");
    window.clickMap(0.5, 1.5);
    EXPECT_EQ(window.study().data.points.size(), 501U);
    EXPECT_TRUE(window->viewOptions().input.empty());
}

TEST(Picture, ErasingTakesPointsAwayAndClearLeavesEnoughToTrain)
{
    WindowDriver window;
    window.clickButton("toolErase");
    window.dragMap(-1.0, 0.5, 1.0, 0.5);
    EXPECT_LT(window.study().data.points.size(), 500U);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window.clickButton("toolClear");
    EXPECT_EQ(window.study().data.points.size(), 4U);
    EXPECT_TRUE(window.waitForState(Session::State::ready));
}

TEST(Picture, DrawingDuringARunStartsItAgainWithThePoints)
{
    WindowDriver window;
    window.setSteps(100000000);
    window.clickAction("train");
    ASSERT_TRUE(window.waitFor([&] { return window->session().moment().snapshot->point.step > 0; }));
    window.clickButton("toolDraw0");
    window.dragMap(0.0, -1.0, 1.0, -1.0);
    ASSERT_TRUE(window.waitFor([&] { return window->session().moment().experiment->study.data.source == DataSource::drawn && window->session().active(); }));
    window.clickAction("cancel");
    EXPECT_TRUE(window.waitForState(Session::State::ended));
}

TEST(Picture, ARegressionStudyShowsItsBand)
{
    WindowDriver window;
    window->openFile(QString());   // nothing to open is said and changes nothing
    auto* presets = window.find<QComboBox>("presets");
    const int cubic = presets->findData("cubic");
    ASSERT_GE(cubic, 0);
    presets->setCurrentIndex(cubic);
    Q_EMIT presets->activated(cubic);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(window->panel("decision_map")->view().id, "regression_band");
    EXPECT_EQ(window->panel("decision_map")->chart().id, "regression_band");
}

TEST(Picture, ThePruningSliderReachesTheWeights)
{
    WindowDriver window;
    window.find<QSlider>("prune")->setValue(50);
    EXPECT_EQ(window->viewOptions().prune_share, 0.5);
}
