// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "charts/chart.h"
#include "parts/workbench.h"
#include "study/presets.h"
#include "views/changed_row.h"
#include "views/main_tabs.h"
#include "views/slice_controls.h"
#include "views/views.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QScrollArea>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>

using namespace credence;

namespace {

/// Trains on a table of two numbers and a colour with a numeric target.
void trainOnColours(WindowDriver& window, const QTemporaryDir& folder)
{
    const std::string file = folder.filePath("colours.csv").toStdString();
    {
        std::ofstream rows(file);
        rows << "size,age,colour,price\n";
        for (int i = 0; i < 120; ++i)
            rows << i % 7 << ".5," << i % 11 << ".25," << (i % 3 == 0 ? "red" : "blue") << ',' << 2 * (i % 7) + i % 11
                 << ".75\n";
    }
    Study study          = window.study();
    study.data.source    = DataSource::csv;
    study.data.file      = file;
    study.network.hidden = {10};
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitForState(Session::State::ready)) << window->message().toStdString();
    ASSERT_TRUE(window.train(60));
}

/// Trains on a table of numbers, the first of which is skewed.
void trainOnNumbers(WindowDriver& window, const QTemporaryDir& folder, int inputs)
{
    const std::string file = folder.filePath("numbers.csv").toStdString();
    {
        std::ofstream rows(file);
        rows << "age [days]";
        for (int k = 1; k < inputs; ++k)
            rows << ",part " << k;
        rows << ",strength\n";
        for (int i = 0; i < 80; ++i) {
            rows << std::exp(0.09 * i);
            for (int k = 1; k < inputs; ++k)
                rows << ',' << (7 * i + k * i % 5) % 23 + 0.5;
            rows << ',' << i % 13 + 0.25 << '\n';
        }
    }
    Study study          = window.study();
    study.data.source    = DataSource::csv;
    study.data.file      = file;
    study.network.hidden = {6};
    window->session().setStudy(study);
    ASSERT_TRUE(window.waitForState(Session::State::ready)) << window->message().toStdString();
    ASSERT_TRUE(window.train(40));
}

/// The slice in the centre along these inputs, with its handle.
SliceHandle* handleOf(WindowDriver& window, const char* first, const char* second)
{
    for (const auto& [name, input] : {std::pair{"sliceInput", first}, std::pair{"sliceSecond", second}}) {
        auto* box = window.find<QComboBox>(name);
        box->setCurrentIndex(std::max(0, box->findData(QLatin1String(input))));
        Q_EMIT box->activated(box->currentIndex());
    }
    auto* handle = window.find<SliceHandle>("sliceHandle");
    auto* panel  = window->panel("decision_map");
    EXPECT_TRUE(window.waitFor([&] {
        return panel->hasChart() && !panel->chart().panels.empty() && panel->chart().panels[0].x.label == first
               && (*second == 0 || panel->chart().panels[0].y.label == second) && handle->isVisible();
    }));
    EXPECT_TRUE(window.waitForPictures());
    return handle;
}

/// Drags the handle by its middle to a point of the chart.
void dragHandle(SliceHandle* handle, const ChartView& chart, double x, double y)
{
    QTest::mousePress(handle, Qt::LeftButton, {}, handle->rect().center());
    for (int k = 1; k <= 4; ++k) {
        const QPointF from = handle->geometry().center();
        const QPointF to   = from + (chart.positionOf(0, x, y) - from) * k / 4.0;
        const QPointF at   = handle->mapFromParent(to);
        QMouseEvent move(QEvent::MouseMove, at, handle->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(handle, &move);
    }
    QTest::mouseRelease(handle, Qt::LeftButton, {}, handle->rect().center());
}

std::vector<Rule> rulesIn(const Chart& chart)
{
    std::vector<Rule> rules;
    for (const auto& series : chart.panels.at(0).series)
        if (const auto* rule = std::get_if<Rule>(&series))
            rules.push_back(*rule);
    return rules;
}

std::vector<std::string> namesIn(const QComboBox& box)
{
    std::vector<std::string> names;
    for (int i = 0; i < box.count(); ++i)
        names.push_back(box.itemText(i).toStdString());
    return names;
}

}   // namespace

TEST(SlicePage, FillsTheCentreForATableAndFollowsItsControls)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnColours(window, folder));
    auto* panel = window->panel("decision_map");
    ASSERT_EQ(panel->view().id, "slice");
    auto* first  = window.find<QComboBox>("sliceInput");
    auto* second = window.find<QComboBox>("sliceSecond");
    ASSERT_TRUE(first->isVisible());
    EXPECT_THAT(namesIn(*first), testing::UnorderedElementsAre("size", "age", "colour"));
    const auto across = [&] {
        return panel->hasChart() && !panel->chart().panels.empty() ? panel->chart().panels[0].x.label : std::string();
    };
    EXPECT_TRUE(window.waitFor([&] { return across() == first->currentText().toStdString(); }));

    first->setCurrentIndex(first->findText("age"));
    Q_EMIT first->activated(first->currentIndex());
    second->setCurrentIndex(second->findText("colour"));
    ASSERT_TRUE(window.waitFor(
        [&] { return across() == "age" && std::holds_alternative<HeatMap>(panel->chart().panels[0].series.front()); }));
    EXPECT_EQ(panel->chart().panels[0].y.categories, (std::vector<std::string>{"blue", "red"}));
    second->setCurrentIndex(0);
    auto* rows = window.find<QWidget>("sliceRows");
    EXPECT_FALSE(rows->isVisible());
    auto* hold = window.find<QComboBox>("sliceHold");
    hold->setCurrentIndex(2);
    EXPECT_TRUE(rows->isVisible()) << "curves of single rows are for averages";
    EXPECT_TRUE(window.waitFor([&] { return panel->chart().caption.find("averaged over") != std::string::npos; }));

    window->session().setStudy(preset("two_moons_mean_field"));
    EXPECT_TRUE(window.waitFor([&] { return panel->view().id == "decision_map"; }));
    EXPECT_FALSE(first->isVisible());
    EXPECT_EQ(window->context().choices.options().slice, SliceChoice());
}

TEST(WhatIf, ChangesOneInputOfTheSelectedRowAndReturnsToIt)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnColours(window, folder));
    auto* verdict = window.find<QLabel>("whatIfVerdict");
    ASSERT_TRUE(window.waitFor([&] { return verdict->text().contains("Observed"); }));
    auto* age = window.find<QDoubleSpinBox>("whatIf/age");
    ASSERT_TRUE(age->isVisible());
    const auto& experiment = *window->session().run().experiment;
    const auto row         = experiment.data->test.row(0);
    EXPECT_EQ(age->value(), row[1]);
    auto* reset = window.find<QToolButton>("whatIfReset");
    EXPECT_FALSE(reset->isEnabled());

    age->setValue(age->maximum());
    const auto input = [&] { return window->context().requests.chosen().input; };
    ASSERT_EQ(input().values.size(), experiment.data->training.n_features);
    EXPECT_EQ(input().values[1], age->value());
    EXPECT_EQ(input().values[0], row[0]) << "the other inputs keep their values";
    EXPECT_EQ(window.find<QSpinBox>("inputRow")->text(), QStringLiteral("changed row"));
    EXPECT_TRUE(window.waitFor([&] {
        return verdict->text().contains("Predicted") && !verdict->text().contains("Observed");
    })) << "a changed row has no observed target";
    auto* boxplots = window->panel("boxplots");
    EXPECT_TRUE(
        window.waitFor([&] { return boxplots->chart().caption.find("test row 0, changed") != std::string::npos; }));
    auto* colour = window.find<QComboBox>("whatIf/colour");
    colour->setCurrentIndex(1 - colour->currentIndex());
    EXPECT_EQ(input().values[2], 1 - row[2]);
    EXPECT_EQ(input().values[3], 1 - row[3]);

    reset->click();
    EXPECT_TRUE(input().values.empty());
    EXPECT_EQ(input().row, 0U);
    EXPECT_EQ(age->value(), row[1]);
    EXPECT_TRUE(window.waitFor([&] { return verdict->text().contains("Observed"); }));
}

TEST(WhatIf, HasNoControlsOfATableThatIsNoLongerDisplayed)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnColours(window, folder));
    auto* age = window.find<QDoubleSpinBox>("whatIf/age");
    age->setValue(age->maximum());
    window->session().setStudy(preset("two_moons_mean_field"));
    ASSERT_TRUE(window.waitFor([&] { return window->panel("decision_map")->view().id == "decision_map"; }));
    EXPECT_EQ(window->findChild<QDoubleSpinBox*>("whatIf/age"), nullptr);
    window->context().selection.choosePoint({0.5, 0.5}, Selection::By::map);
    EXPECT_THAT(window->context().requests.chosen().input.values, testing::ElementsAre(0.5, 0.5));
}

TEST(SliceHandle, MovesAnInputOfTheRowAndEverythingFollows)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnColours(window, folder));
    auto* handle = handleOf(window, "age", "");
    auto* panel  = window->panel("decision_map");
    auto& chart  = *panel->chartView();
    auto* age    = window.find<QDoubleSpinBox>("whatIf/age");
    auto* back   = window.find<QToolButton>("sliceBack");
    EXPECT_FALSE(back->isVisible());
    const double before = age->value();
    const auto input    = [&] { return window->context().requests.chosen().input; };

    dragHandle(handle, chart, 7, 0);
    EXPECT_NEAR(age->value(), 7, 0.2) << "What if follows";
    ASSERT_FALSE(input().values.empty());
    EXPECT_EQ(input().values[1], age->value());
    EXPECT_TRUE(back->isVisible());
    EXPECT_NEAR(handle->geometry().center().x(), chart.positionOf(0, age->value(), 0).x(), 2);
    EXPECT_TRUE(
        window.waitFor([&] { return panel->chart().caption.find("test row 0, changed") != std::string::npos; }));
    EXPECT_TRUE(rulesIn(panel->chart()).empty()) << "the handle is the only line";

    const double dragged = age->value();
    QTest::keyClick(handle, Qt::Key_Right);
    EXPECT_GT(age->value(), dragged);
    QTest::keyClick(handle, Qt::Key_Left);
    EXPECT_NEAR(age->value(), dragged, 0.02);
    for (int k = 0; k < 12; ++k)
        QTest::keyClick(handle, Qt::Key_PageUp);
    EXPECT_NEAR(age->value(), age->maximum(), 0.02) << "no further than the training rows";

    back->click();
    EXPECT_EQ(age->value(), before);
    EXPECT_TRUE(input().values.empty());
    EXPECT_FALSE(back->isVisible());

    window.find<QComboBox>("sliceHold")->setCurrentIndex(1);
    EXPECT_TRUE(window.waitFor([&] { return !handle->isVisible(); })) << "no slice through the row";
}

TEST(SliceHandle, IsNotRecomputedWhileItMovesAlongItsOwnInput)
{
    bool rested     = false;
    int whileMoving = 0;
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnColours(window, folder));
    auto* handle = handleOf(window, "age", "");
    auto* panel  = window->panel("decision_map");
    QObject::connect(&window->context().selection, &Selection::changed, handle, [&](bool moving) { rested = !moving; });
    for (const auto key : {Qt::Key_PageUp, Qt::Key_PageDown})   // the row is changed: its observed target disappears
        QTest::keyClick(handle, key);
    ASSERT_TRUE(window.waitFor([&] { return rested; }));
    ASSERT_TRUE(window.waitForPictures());
    QObject::connect(panel, &ViewPanel::chartShown, handle, [&] { whileMoving += rested ? 0 : 1; });
    for (int k = 0; k < 4; ++k)
        QTest::keyClick(handle, Qt::Key_PageDown);
    ASSERT_TRUE(window.waitFor([&] { return rested; }));
    EXPECT_EQ(whileMoving, 0);
}

TEST(SliceHandle, ADoubleClickReturnsToTheRowAlsoIfThePointerMoves)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnColours(window, folder));
    auto* handle        = handleOf(window, "age", "");
    auto* age           = window.find<QDoubleSpinBox>("whatIf/age");
    const double before = age->value();
    dragHandle(handle, *window->panel("decision_map")->chartView(), 7, 0);
    ASSERT_NE(age->value(), before);
    const QPointF at = handle->rect().center();
    QTest::mouseDClick(handle, Qt::LeftButton, {}, at.toPoint());
    EXPECT_EQ(age->value(), before);
    QMouseEvent move(QEvent::MouseMove, at + QPointF(30, 0), handle->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(handle, &move);
    EXPECT_EQ(age->value(), before);
}

TEST(SliceHandle, IsACrossOverTwoInputs)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnColours(window, folder));
    auto* handle    = handleOf(window, "size", "colour");
    auto& chart     = *window->panel("decision_map")->chartView();
    auto* size      = window.find<QDoubleSpinBox>("whatIf/size");
    auto* colour    = window.find<QComboBox>("whatIf/colour");
    const int other = 1 - colour->currentIndex();
    dragHandle(handle, chart, 5, other);
    EXPECT_NEAR(size->value(), 5, 0.2);
    EXPECT_EQ(colour->currentIndex(), other);
    QTest::keyClick(handle, other == 1 ? Qt::Key_Down : Qt::Key_Up);
    EXPECT_EQ(colour->currentIndex(), 1 - other);
}

TEST(WorkspaceTable, HasTheSliceNextToObservedAndPredictedUntilItIsLeft)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnNumbers(window, folder, 3));
    window->resize(1440, 900);
    auto* observed = window->panel("observed_predicted");
    auto* slice    = window->panel("decision_map");
    window.clickButton("workspace/table");
    EXPECT_TRUE(window.waitFor([&] { return observed->isVisible() && slice->isVisible(); }));
    EXPECT_LE(observed->mapTo(&window.window(), QPoint(observed->width(), 0)).x(),
              slice->mapTo(&window.window(), QPoint()).x());
    EXPECT_GT(observed->width(), 1.1 * slice->width()) << "its axes have equal units: it uses the height";
    EXPECT_LT(observed->width(), 1.7 * slice->width());
    window.clickButton("workspace/explore");
    EXPECT_TRUE(window.waitFor([&] { return !observed->isVisible() && slice->isVisible(); }));
    window.clickButton("workspace/table");
    EXPECT_TRUE(window.waitFor([&] { return observed->isVisible() && slice->isVisible(); }));
    EXPECT_FALSE(window->workbench().state()["areas"].toObject()["stage"].toObject().contains("split"))
        << "the next start has no second half";
}

TEST(SlicePage, InALowAreaThePictureKeepsHalfOfTheHeight)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnNumbers(window, folder, 3));
    QFont large = window->font();
    large.setPointSizeF(2 * large.pointSizeF());
    window->setFont(large);
    window->resize(1366, 768);
    window.setOpen("trainingDock", true);
    auto* chart = window->panel("decision_map")->chartView();
    auto* area  = window.areaOf("decision_map");
    auto* more  = window.find<QToolButton>("sliceMore");
    auto* hold  = window.find<QComboBox>("sliceHold");
    ASSERT_TRUE(window.waitFor([&] { return more->isVisible() && !hold->isVisible(); }));
    const auto pictureKeepsHalf = [&] { return 2 * chart->height() >= area->height(); };
    EXPECT_TRUE(window.waitFor(pictureKeepsHalf)) << chart->height() << " of " << area->height();
    window.find<QAction>("testRowsAction")->trigger();
    EXPECT_TRUE(window.waitFor([&] { return window->panel("test_rows")->isVisible(); })) << "in the drawer";
    EXPECT_TRUE(window.waitFor(pictureKeepsHalf)) << chart->height() << " of " << area->height();
    more->click();
    EXPECT_TRUE(window.waitFor([&] { return hold->isVisible(); }));
    window.setOpen("trainingDock", false);
    window->resize(1366, 1200);
    EXPECT_TRUE(window.waitFor([&] { return !more->isVisible() && hold->isVisible(); })) << "there is room for all";
}

TEST(SliceControls, ProposeALogarithmicAxisForASkewedInput)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnNumbers(window, folder, 3));
    auto* handle      = handleOf(window, "age [days]", "");
    auto* panel       = window->panel("decision_map");
    auto* logarithmic = window.find<QCheckBox>("sliceLogarithmic");
    EXPECT_TRUE(logarithmic->isVisible());
    EXPECT_TRUE(logarithmic->isChecked());
    EXPECT_TRUE(panel->chart().panels[0].x.logarithmic);
    dragHandle(handle, *panel->chartView(), 20, 0);
    EXPECT_NEAR(window.find<QDoubleSpinBox>("whatIf/age [days]")->value(), 20, 1.5);
    logarithmic->click();
    EXPECT_TRUE(window.waitFor([&] { return !panel->chart().panels[0].x.logarithmic; }));
}

TEST(WhatIf, ShowsManyInputsAndFindsOneByItsName)
{
    WindowDriver window;
    const QTemporaryDir folder;
    ASSERT_NO_FATAL_FAILURE(trainOnNumbers(window, folder, 40));
    window.setOpen("inputDock", true);
    window.setOpen("layersDock", true);
    auto* search = window.find<QLineEdit>("whatIfSearch");
    EXPECT_TRUE(search->isVisible());
    auto* whatIf = window.find<QWidget>("whatIf");
    auto* area   = whatIf->findChild<QScrollArea*>();
    auto* part   = window.find<QDoubleSpinBox>("whatIf/part 17");
    EXPECT_TRUE(window.waitFor([&] { return area->height() >= 4 * part->height(); }))
        << area->height() << " of " << whatIf->height();
    EXPECT_TRUE(window.waitFor([&] { return !window.find<QLabel>("whatIfVerdict")->text().isEmpty(); }));
    EXPECT_FALSE(area->isAncestorOf(window.find<QLabel>("whatIfVerdict"))) << "the answer stays in sight";

    search->setText("17");
    EXPECT_TRUE(part->isVisible());
    EXPECT_FALSE(window.find<QDoubleSpinBox>("whatIf/part 18")->isVisible());
    part->setValue(part->maximum());
    EXPECT_EQ(window->context().requests.chosen().input.values[17], part->value());
    search->clear();
    EXPECT_TRUE(window.find<QDoubleSpinBox>("whatIf/part 18")->isVisible());
}
