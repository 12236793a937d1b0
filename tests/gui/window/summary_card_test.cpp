// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "window_driver.h"

#include "parts/view_panel.h"
#include "session/saved_runs.h"
#include "views/prediction_area.h"
#include "views/summary_card.h"

#include "linter/lint.h"
#include "study/presets.h"
#include "widgets/chart_view.h"

#include <QAbstractButton>

using namespace credence;
using testing::HasSubstr;

namespace {

/// Waits until the numbers and the linter's result are shown.
bool waitForSummary(WindowDriver& window)
{
    const auto& context = window->context();
    return window.waitFor([&] {
        return context.linting.state() == Linting::State::looked && context.runs.rowCount() > 0
               && context.runs.at(0)->summary.has_value();
    });
}

QRect rectIn(const QWidget* widget, const QWidget* above) { return {widget->mapTo(above, QPoint()), widget->size()}; }

}   // namespace

TEST(SummaryOfTheRun, AppearsAfterARunWithTheScoreOfTheListOfRuns)
{
    WindowDriver window;
    auto* card = window.find<SummaryCard>("summaryCard");
    EXPECT_FALSE(card->isVisible()) << "nothing is trained";
    ASSERT_TRUE(window.train(300));
    ASSERT_TRUE(waitForSummary(window));
    ASSERT_TRUE(window.waitFor([&] { return card->isVisible(); }));
    auto& runs         = window->context().runs;
    const auto listed  = runs.index(0, SavedRuns::score).data().toString();
    const auto* number = window.find<QAbstractButton>("summary/accuracy");
    EXPECT_TRUE(number->isVisible());
    EXPECT_THAT(number->accessibleName().toStdString(), HasSubstr(listed.toStdString()));
    EXPECT_TRUE(window.find<QAbstractButton>("summary/nll")->isVisible());
    EXPECT_TRUE(window.find<QAbstractButton>("summary/ece")->isVisible());
    EXPECT_FALSE(window.find<QAbstractButton>("summary/r_hat")->isVisible()) << "there are no chains";
    for (const auto& one : *runs.at(0)->summary) {
        EXPECT_NO_THROW(view(one.view)) << one.id;
        for (const auto& rule : one.rules)
            EXPECT_NO_THROW(lint_rule(rule)) << one.id;
    }
}

TEST(SummaryOfTheRun, StaysInsideTheAxesOfAMapAndBelowOtherPictures)
{
    WindowDriver window;
    auto* card = window.find<SummaryCard>("summaryCard");
    auto* area = window->findChild<PredictionArea*>();
    ASSERT_TRUE(window.train(60));
    ASSERT_TRUE(waitForSummary(window));
    for (const QSize size : {QSize(1280, 800), QSize(1900, 1000), QSize(1024, 700)}) {
        window->resize(size);
        const auto* map = window.shownMap();
        EXPECT_TRUE(window.waitFor([&] {
            const QRect axes = map->panelRect(0).translated(map->mapTo(area, QPoint()));
            const QRect at   = rectIn(card, area);
            return card->isVisible() && (axes.contains(at) || at.top() > rectIn(map, area).bottom());
        })) << size.width();
    }
    window->session().setStudy(preset("sine_gap"));
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(60));
    ASSERT_TRUE(waitForSummary(window));
    const auto* band = area->picture();
    EXPECT_TRUE(
        window.waitFor([&] { return card->isVisible() && rectIn(card, area).top() >= rectIn(band, area).bottom(); }));
    EXPECT_TRUE(window.find<QAbstractButton>("summary/rmse")->isVisible());
    EXPECT_TRUE(window.find<QAbstractButton>("summary/coverage")->isVisible());
}

TEST(SummaryOfTheRun, ClosedItReturnsWithTheNextRun)
{
    WindowDriver window;
    auto* card = window.find<SummaryCard>("summaryCard");
    ASSERT_TRUE(window.train(60));
    ASSERT_TRUE(waitForSummary(window));
    ASSERT_TRUE(window.waitFor([&] { return card->isVisible(); }));
    window.clickButton("closeSummary");
    EXPECT_FALSE(card->isVisible());
    const long closed = window->session().currentRun().number();
    window.clickAction("newSeed");
    ASSERT_TRUE(window.waitFor([&] { return window->session().currentRun().number() != closed; }));
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_TRUE(window.waitFor([&] { return card->isVisible(); }));
}

TEST(SummaryOfTheRun, ANumberOpensItsView)
{
    WindowDriver window;
    const Study& healthy = preset("two_moons_point_estimate");
    window->session().setStudy(healthy);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(healthy.training.steps));
    ASSERT_TRUE(waitForSummary(window));
    auto* nll = window.find<QAbstractButton>("summary/nll");
    ASSERT_TRUE(window.waitFor([&] { return nll->isVisible(); }));
    EXPECT_THAT(window.find<QAbstractButton>("summary/checks")->accessibleName().toStdString(),
                HasSubstr("Checks passed"));
    nll->setFocus();
    QTest::keyClick(nll, Qt::Key_Space);
    EXPECT_TRUE(window.waitFor([&] { return window->panel("scores")->isVisible(); }));
}

TEST(SummaryOfTheRun, TheChecksOpenTheFindings)
{
    WindowDriver window;
    Study bad                 = preset("two_moons_mean_field");
    bad.training.kl_weighting = KlWeighting::constant;
    bad.training.kl_weight    = 1;
    window->session().setStudy(bad);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(300));
    ASSERT_TRUE(waitForSummary(window));
    auto* checks = window.find<QAbstractButton>("summary/checks");
    ASSERT_TRUE(window.waitFor([&] { return checks->isVisible(); }));
    EXPECT_THAT(checks->accessibleName().toStdString(), HasSubstr("error"));
    QTest::mouseClick(checks, Qt::LeftButton);
    settle();
    EXPECT_TRUE(window.isOpen("findingsDock"));
    EXPECT_TRUE(window.find<QWidget>("finding/kl_weight")->isVisible());
}

TEST(SummaryOfTheRun, FollowsTheSettingsOfPredictions)
{
    WindowDriver window;
    window->session().setStudy(preset("sine_gap"));
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(60));
    ASSERT_TRUE(waitForSummary(window));
    const auto* coverage = window.find<QAbstractButton>("summary/coverage");
    ASSERT_TRUE(window.waitFor([&] { return coverage->isVisible(); }));
    EXPECT_THAT(coverage->accessibleName().toStdString(), HasSubstr("coverage of 95"));
    Study study            = window.study();
    study.prediction.level = 0.5;
    window->session().setStudy(study);
    EXPECT_TRUE(window.waitFor([&] {
        return coverage->isVisible() && coverage->accessibleName().contains(QStringLiteral("coverage of 50"));
    })) << coverage->accessibleName().toStdString();
}

TEST(SummaryOfTheRun, DescribesTheLastStepOnly)
{
    WindowDriver window;
    auto* card = window.find<SummaryCard>("summaryCard");
    ASSERT_TRUE(window.train(300));
    ASSERT_TRUE(waitForSummary(window));
    ASSERT_TRUE(window.waitFor([&] { return card->isVisible(); }));
    window->session().currentRun().showRecorded(0);
    EXPECT_TRUE(window.waitFor([&] { return !card->isVisible(); }));
    window->session().currentRun().showRecorded(-1);
    EXPECT_TRUE(window.waitFor([&] { return card->isVisible(); }));
}
