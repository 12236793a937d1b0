// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "runs/comparison.h"
#include "study/fields.h"
#include "study/presets.h"
#include "widgets/export_figure.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>

using namespace credence;

namespace {

/// NUTS, a point estimate and a mean field, each in a few steps. @param last  steps of the mean
/// field
MethodComparison tinyComparison(long last = 60)
{
    return {.id = "tiny", .title = "Tiny", .help = "A few steps of three methods.", .studies = [last] {
                Study reference = preset("two_moons_nuts");
                for (const char* setting :
                     {"posterior.warmup=30", "posterior.draws=30", "posterior.chains=2", "network.hidden=3"})
                    set_field(reference, setting);
                std::vector<Study> few;
                for (auto& study : studies_of_methods(reference))
                    for (const char* family : {"nuts", "point_estimate", "mean_field"})
                        if (study.posterior.family == family) {
                            study.training.steps = study.posterior.family == "mean_field" ? last : 60;
                            few.push_back(study);
                        }
                return few;
            }};
}

bool waitForEnd(WindowDriver& window)
{
    return window.waitFor([&] { return !window->context().reference.active(); }) && window.waitFor([&] {
        return window->panel("compare_truth")->isVisible() && window->panel("truth_boxplots")->isVisible();
    }) && window.waitForPictures();
}

}   // namespace

TEST(ReferenceComparison, OneClickRunsTicksAndShowsAllMethodsAndKeepsTheStudy)
{
    WindowDriver window;
    window.type("training.learning_rate/editor", "0.0123");   // not saved
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    const Study mine = window.study();
    const int step   = window->context().document.undo().index();
    EXPECT_FALSE(window.find<QWidget>("truthBar")->isVisible());
    std::vector<std::string> reported;
    auto* words = window.find<QLabel>("truthProgress");
    QObject::connect(&window->context().reference, &ReferenceComparison::progressed, words,
                     [&] { reported.push_back(words->text().toStdString()); });
    window->context().reference.begin(tinyComparison());
    EXPECT_TRUE(window.find<QWidget>("truthBar")->isVisible());
    ASSERT_TRUE(waitForEnd(window));
    EXPECT_THAT(reported, testing::Contains("Compare with reference, Tiny. 2 of 3: Point estimate"));
    EXPECT_FALSE(window.find<QWidget>("truthBar")->isVisible());
    EXPECT_TRUE(window.study() == mine);
    EXPECT_EQ(window->context().document.undo().index(), step);
    ASSERT_EQ(window->context().runs.rowCount(), 3);
    EXPECT_EQ(window->context().runs.checked().size(), 3U);
    EXPECT_EQ(window->session().run().current().experiment->study.posterior.family, "nuts");

    const auto& maps = window->panel("compare_truth")->chart();
    ASSERT_EQ(maps.message, "");
    EXPECT_EQ(maps.panels.size(), 3U);   // the halves of the chains, and two methods
    EXPECT_EQ(maps.table->rows.size(), 3U);
    EXPECT_EQ(window.currentView(), "compare_truth");

    EXPECT_TRUE(window.find<QToolButton>("rankRuns")->isEnabled()) << "the displayed run is the reference";

    // The same distances as bars, without another computation.
    EXPECT_TRUE(window->panel("compare_distances")->isVisible());
    const auto& ranking = window->panel("compare_distances")->chart();
    ASSERT_EQ(ranking.panels.size(), 1U) << ranking.message;
    const auto& names = ranking.panels[0].y.categories;
    ASSERT_EQ(names.size(), 2U);
    for (std::size_t k = 0; k < 2; ++k)
        EXPECT_EQ(Cell(names[k]), maps.table->rows.at(k + 1).at(0)) << "nearest first";
    EXPECT_TRUE(std::holds_alternative<Band>(ranking.panels[0].series.at(0))) << "the noise floor";
    EXPECT_FALSE(window->panel("compare_distances")->chartView()->panelRect(0).isEmpty());

    // A click in a map, far from the data, chooses the input for the boxplots of all.
    auto* view      = window->panel("compare_truth")->chartView();
    const QPoint at = view->positionOf(0, 2.4, -1.0).toPoint();
    auto* target    = view->childAt(at);
    ASSERT_NE(target, nullptr);
    QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(view, at));
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_EQ(window->context().requests.chosen().input.values.size(), 2U);
    EXPECT_NEAR(window->context().requests.chosen().input.values[0], 2.4, 0.1);
    ASSERT_TRUE(view->mark().has_value());
    EXPECT_TRUE(view->mark()->everywhere);
    EXPECT_NEAR(view->mark()->x, 2.4, 0.1);
    const auto& boxes = window->panel("truth_boxplots")->chart();
    ASSERT_EQ(boxes.panels.size(), 1U) << boxes.message;
    EXPECT_THAT(boxes.panels[0].x.categories, testing::ElementsAre("reference (NUTS)", "Point estimate", "Mean field"));
    EXPECT_THAT(boxes.panels[0].title, testing::StartsWith("(2."));

    // Saved runs are not repeated.
    window->context().reference.begin(tinyComparison());
    ASSERT_TRUE(waitForEnd(window));
    EXPECT_EQ(window->context().runs.rowCount(), 3);
    EXPECT_EQ(window->context().runs.checked().size(), 3U);
}

TEST(ReferenceComparison, CancelledHalfWayKeepsAndComparesTheRunsThatAreDone)
{
    WindowDriver window;
    window->context().reference.begin(tinyComparison(1'000'000'000));
    ASSERT_TRUE(window.waitFor([&] {
        return window->context().reference.progress().number == 3 && window->session().active()
               && window->session().run().current().snapshot->point.step > 0;
    }));
    EXPECT_EQ(window->session().run().current().experiment->study.posterior.family, "mean_field");
    window.clickAction("train");   // as for any run: pause
    ASSERT_TRUE(window.waitForState(Session::State::paused));
    EXPECT_TRUE(window->context().reference.active());
    window.clickAction("train");
    ASSERT_TRUE(window.waitForState(Session::State::running));
    window.clickButton("cancelComparison");
    ASSERT_TRUE(waitForEnd(window));
    EXPECT_FALSE(window->session().active());
    ASSERT_EQ(window->context().runs.rowCount(), 3);   // the cancelled one with the steps that it has made
    EXPECT_FALSE(window->context().runs.at(0)->checked);
    EXPECT_EQ(window->context().runs.checked().size(), 2U);
    EXPECT_EQ(window->panel("compare_truth")->chart().table->rows.size(), 2U);
    EXPECT_TRUE(window.study() == default_study());
}

TEST(ReferenceComparison, IsAmongThePresetsAndInTheMenuAndDoesNotWaitForOtherRuns)
{
    WindowDriver window;
    for (const auto& one : comparisons())
        EXPECT_NE(window.find<QAction>("compare/" + QString::fromStdString(one.id)), nullptr);
    auto* box               = window.find<QComboBox>("presets");
    const QString was       = box->currentText();
    const auto startAndStop = [&](const std::function<void()>& start) {
        start();
        EXPECT_TRUE(window->context().reference.active());
        EXPECT_EQ(window->context().reference.progress().title, "Two moons");
        window.clickButton("cancelComparison");
        EXPECT_FALSE(window->context().reference.active());
    };
    startAndStop([&] { window.choose("presets", "compare/two_moons_truth"); });
    EXPECT_EQ(box->currentText(), was);
    EXPECT_TRUE(window.study() == default_study());
    startAndStop([&] { window.find<QAction>("compare/two_moons_truth")->trigger(); });
    EXPECT_EQ(window->context().runs.rowCount(), 0);

    const QTemporaryDir folder;   // a figure of the page contains the Study of the reference and reopens the page
    const QString figure = folder.filePath(QStringLiteral("truth.csv"));
    exportChart({.id = "compare_truth", .title = "Against the reference", .table = Table{{{"Run"}}, {}}}, figure, {},
                QByteArray::fromStdString(to_text(preset("two_moons_nuts"))));
    window->openFile(figure);
    ASSERT_TRUE(
        window.waitFor([&] { return window->message().contains(QStringLiteral("reference of the comparison")); }));
    EXPECT_THAT(window->message().toStdString(), testing::StartsWith("The Study of truth.csv is the reference of"));
    startAndStop([&] { window.clickButton("offer0"); });
    window->context().document.undo().undo();
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_TRUE(window.study() == default_study());

    window.setSteps(1'000'000'000);
    window.clickAction("train");
    ASSERT_TRUE(window.waitForState(Session::State::running));
    window.find<QAction>("compare/two_moons_truth")->trigger();
    EXPECT_FALSE(window->context().reference.active());
    window.clickAction("stop");
}
