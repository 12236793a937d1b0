// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/simplex_workbench.h"

#include "window_driver.h"

#include "gui/wait_until.h"

#include "parts/export_dialog.h"
#include "simplex/simplex_controls.h"
#include "views/figure_export.h"

#include "widgets/table_view.h"

#include <QAccessible>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace credence;
using testing::HasSubstr;
using Handle = SimplexWorkbench::Handle;

namespace {

/// The window with the page Simplex in front.
class Triangle3 : public WindowDriver {
public:
    Triangle3()
    {
        window().navigator().show(ViewNavigator::simplex);
        EXPECT_TRUE(settled());
    }
    SimplexWorkbench& bench() { return simplex(); }
    bool settled() { return waitForPictures() && waitForPictures(); }   // numbers come after the picture
    void preset(const char* id)
    {
        auto* action = window().findChild<QAction*>(QStringLiteral("simplexPreset/") + QLatin1String(id));
        ASSERT_NE(action, nullptr) << id;
        action->trigger();
        EXPECT_TRUE(settled());
    }
    void drag(Handle handle, QPointF by)
    {
        auto* view         = bench().picture()->chartView();
        const QPointF from = bench().handlePosition(handle);
        auto* plot         = view->findChild<QWidget*>(QStringLiteral("plot"));
        const auto at      = [&](double share) { return plot->mapFrom(view, (from + share * by).toPoint()); };
        QTest::mousePress(plot, Qt::LeftButton, {}, at(0));
        for (int i = 1; i <= 10; ++i) {
            QMouseEvent move(QEvent::MouseMove, at(i / 10.0), plot->mapToGlobal(at(i / 10.0)), Qt::NoButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(plot, &move);
        }
        QTest::mouseRelease(plot, Qt::LeftButton, {}, at(1));
        EXPECT_TRUE(settled());
    }
    std::vector<double> mu() { return bench().editor().hand().distribution().mu(); }
    std::string summary() { return bench().numbers().summary().toStdString(); }
    const Chart& chart() { return bench().picture()->chart(); }
    /// Four classes and a small net.
    void fourClasses(const std::string& family = "mean_field")
    {
        Study four              = study();
        four.data.toy.kind      = ToyKind::four_gaussians;
        four.data.toy.n         = 80;
        four.network.hidden     = {8};
        four.posterior.family   = family;
        four.training.steps     = 40;
        four.prediction.samples = 60;
        window().session().setStudy(four);
        EXPECT_TRUE(waitFor([&] {
            return window().session().run().current().experiment
                   && window().session().run().current().experiment->data->training.n_classes() == 4;
        }));
        EXPECT_TRUE(settled());
    }
};

double integral(const Panel& panel)
{
    const auto& map = std::get<TernaryMap>(panel.series.front());
    return std::accumulate(map.z.begin(), map.z.end(), 0.0) / (2.0 * map.n * map.n);
}

}   // namespace

TEST(SimplexWorkbench, ShowsTwoDensitiesThatIntegrateToOneAndTheirNumbers)
{
    Triangle3 window;
    ASSERT_EQ(window.chart().panels.size(), 2U) << window.chart().message;
    for (const auto& panel : window.chart().panels)
        EXPECT_NEAR(integral(panel), 1, 1e-3);
    EXPECT_THAT(window.summary(), HasSubstr("KL"));
    EXPECT_THAT(window.summary(), testing::Not(HasSubstr("…")));
    EXPECT_EQ(window.bench().numbers().table()->model()->columnCount(), 4);
}

TEST(SimplexWorkbench, APresetSetsItsDistributionAndItsVariant)
{
    Triangle3 window;
    window.preset("fig_5_3_third");
    EXPECT_THAT(window.mu(), testing::ElementsAre(1, 1, -2));
    EXPECT_EQ(window.find<QComboBox>("bridgeVariant")->currentData().toInt(), static_cast<int>(BridgeVariant::plain));
    EXPECT_THAT(window.summary(), HasSubstr("KL 2.252"));
    EXPECT_THAT(window.find<QLabel>("simplexNote")->text().toStdString(), HasSubstr("2.252320"));
}

TEST(SimplexWorkbench, ADragMovesTheMeanAndUndoRestoresItInOneStep)
{
    Triangle3 window;
    window.preset("fig_5_3_first");
    const auto before  = window.mu();
    const auto numbers = window.summary();
    window.drag(Handle::mean, {40, 10});
    const auto place = window.bench().editor().hand().mean();
    EXPECT_GT(place.second, 0.36);   // to the lower right: towards the second class
    EXPECT_NE(window.mu(), before);
    EXPECT_NE(window.summary(), numbers);
    window->context().document.undo().undo();
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.mu(), before);
    EXPECT_EQ(window.summary(), numbers);
    EXPECT_EQ(window.find<QDoubleSpinBox>("mu0")->value(), 0);
}

TEST(SimplexWorkbench, ADragOfAnAxisStretchesTheCovarianceAndLeavesTheMean)
{
    Triangle3 window;
    window.preset("fig_5_3_first");
    const double longer = window.bench().editor().hand().length(0), other = window.bench().editor().hand().length(1);
    const QPointF centre = window.bench().handlePosition(Handle::mean),
                  end    = window.bench().handlePosition(Handle::first_axis);
    window.drag(Handle::first_axis, end - centre);   // twice as far out
    EXPECT_GT(window.bench().editor().hand().length(0), 1.5 * longer);
    EXPECT_NEAR(window.bench().editor().hand().length(1), other, 1e-9);
    EXPECT_THAT(window.mu(), testing::ElementsAre(0, 0, 0));
    EXPECT_GT(window.find<QDoubleSpinBox>("sigma00")->value() + window.find<QDoubleSpinBox>("sigma11")->value()
                  + window.find<QDoubleSpinBox>("sigma22")->value(),
              0.31);
}

TEST(SimplexWorkbench, HandlesOfANarrowDistributionCanStillBeGrabbed)
{
    Triangle3 window;
    for (const char* box : {"sigma00", "sigma11", "sigma22"})
        window.find<QDoubleSpinBox>(box)->setValue(1e-4);
    window.find<QDoubleSpinBox>("sigma10")->setValue(0);
    window.find<QDoubleSpinBox>("sigma20")->setValue(0);
    window.find<QDoubleSpinBox>("sigma21")->setValue(0);
    ASSERT_TRUE(window.settled());
    const QPointF centre = window.bench().handlePosition(Handle::mean);
    for (const Handle handle : {Handle::first_axis, Handle::second_axis}) {
        const QPointF away = window.bench().handlePosition(handle) - centre;
        EXPECT_GE(std::hypot(away.x(), away.y()), 18);
    }
    const double before = window.bench().editor().hand().length(0);
    window.drag(Handle::first_axis, window.bench().handlePosition(Handle::first_axis) - centre);
    EXPECT_GT(window.bench().editor().hand().length(0), 1.3 * before);
    EXPECT_LT(window.bench().editor().hand().length(0), 4 * before);   // relative to where it was grabbed
}

TEST(SimplexWorkbench, TheVariantChangesTheDirichletAndTheNumbers)
{
    Triangle3 window;
    window.preset("fig_5_3_third");
    const auto caption = window.chart().caption, kl = window.summary();
    auto* box = window.find<QComboBox>("bridgeVariant");
    box->setCurrentIndex(box->findData(static_cast<int>(BridgeVariant::conditioned)));
    Q_EMIT box->activated(box->currentIndex());
    ASSERT_TRUE(window.settled());
    EXPECT_NE(window.chart().caption, caption);
    EXPECT_NE(window.summary(), kl);
    EXPECT_THAT(window.summary(), HasSubstr("KL 6.114"));
}

TEST(LogitBoxes, ShowNumbersInFullInLargeType)
{
    LogitBoxes boxes;
    QFont large = boxes.font();
    large.setPointSizeF(2 * std::max(8.0, large.pointSizeF()));
    boxes.setFont(large);
    const auto* box = boxes.findChild<QDoubleSpinBox*>(QStringLiteral("mu0"));
    ASSERT_NE(box, nullptr);
    EXPECT_GT(box->minimumWidth(), QFontMetrics(large).horizontalAdvance(QStringLiteral("-0.366")));
}

TEST(SimplexWorkbench, AnInvalidCovarianceIsMarkedAndThePictureStays)
{
    Triangle3 window;
    window.preset("fig_5_3_first");
    const auto before = window.mu();
    window.find<QDoubleSpinBox>("sigma10")->setValue(5);
    EXPECT_THAT(window.find<QLabel>("lawMistake")->text().toStdString(), HasSubstr("covariance"));
    EXPECT_TRUE(window.find<QLabel>("lawMistake")->isVisibleTo(&window.bench()));
    EXPECT_EQ(window.chart().panels.size(), 2U);
    window.find<QDoubleSpinBox>("sigma10")->setValue(0.02);
    EXPECT_EQ(window.find<QLabel>("lawMistake")->text(), QString());
    EXPECT_EQ(window.mu(), before);
}

TEST(SimplexWorkbench, KeysMoveTheChosenHandle)
{
    Triangle3 window;
    window.preset("fig_5_3_first");
    auto* view = window.bench().picture()->chartView();
    QTest::keyClick(view, Qt::Key_Right);
    EXPECT_GT(window.bench().editor().hand().mean().second, 1.0 / 3 + 0.01);
    const double length = window.bench().editor().hand().length(0);
    QTest::keyClick(view, Qt::Key_Plus);
    EXPECT_NEAR(window.bench().editor().hand().length(0), 1.1 * length, 1e-9);
    const auto mean = window.mu();
    QTest::keyClick(view, Qt::Key_Space);
    QTest::keyClick(view, Qt::Key_Up);
    EXPECT_EQ(window.mu(), mean);
    auto* seen = QAccessible::queryAccessibleInterface(view);   // as a screen reader meets them
    ASSERT_GE(seen->childCount(), 3);
    EXPECT_TRUE(seen->child(0)->text(QAccessible::Name).startsWith("Handle of the mean: "));
    EXPECT_TRUE(seen->child(1)->state().selected);
    seen->child(0)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    EXPECT_TRUE(seen->child(0)->state().selected);
    ASSERT_TRUE(window.settled());
}

TEST(SimplexWorkbench, FollowsTheChosenInputAndSwitchesToByHandWhenDragged)
{
    Triangle3 window;
    window.fourClasses();
    window.bench().editor().setSource(SimplexSource::chosen_input);
    ASSERT_TRUE(window.settled());
    ASSERT_EQ(window.chart().panels.size(), 2U) << window.chart().message;
    EXPECT_TRUE(window.find<QCheckBox>("simplexMostProbable")->isVisible());
    const auto before = window.mu();
    window.find<QSpinBox>("inputRow")->setValue(7);
    ASSERT_TRUE(window.settled());
    EXPECT_NE(window.mu(), before);
    window.drag(Handle::mean, {12, -8});
    EXPECT_EQ(window.bench().editor().state().source, SimplexSource::by_hand);
    const auto byHand = window.mu();
    window.find<QSpinBox>("inputRow")->setValue(3);
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.mu(), byHand);
    window->context().document.undo().undo();
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.bench().editor().state().source, SimplexSource::chosen_input);
}

TEST(SimplexWorkbench, FollowsWhileTrainingRuns)
{
    Triangle3 window;
    window.fourClasses();
    window.bench().editor().setSource(SimplexSource::chosen_input);
    ASSERT_TRUE(window.settled());
    const auto before = window.mu();
    ASSERT_TRUE(window.train(60));
    ASSERT_TRUE(window.settled());
    EXPECT_NE(window.mu(), before);
}

TEST(SimplexWorkbench, ChosenCornersStayDifferentClasses)
{
    Triangle3 window;
    window.fourClasses();
    window.bench().editor().setSource(SimplexSource::chosen_input);
    ASSERT_TRUE(window.settled());
    window.find<QCheckBox>("simplexMostProbable")->setChecked(false);
    auto* corner     = window.find<QComboBox>("simplexCorner0");
    const int chosen = window.find<QComboBox>("simplexCorner1")->currentIndex();
    corner->setCurrentIndex(chosen);
    Q_EMIT corner->activated(chosen);
    ASSERT_TRUE(window.settled());
    EXPECT_TRUE(window.chart().message.empty()) << window.chart().message;
    EXPECT_EQ(window.chart().panels[0].triangle->corners[0], corner->currentText().toStdString());
    auto* others = window.find<QComboBox>("simplexOthers");
    others->setCurrentIndex(1);
    Q_EMIT others->activated(1);
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.chart().panels[0].triangle->corners[2], "the other 2");
}

TEST(SimplexWorkbench, OfTwoClassesFollowsWithADensityOnALineAndOfAPointEstimateStatesWhyNot)
{
    Triangle3 window;
    window.bench().editor().setSource(SimplexSource::chosen_input);   // two moons
    ASSERT_TRUE(window.settled());
    ASSERT_EQ(window.chart().panels.size(), 1U) << window.chart().message;
    EXPECT_FALSE(window.chart().panels[0].triangle);
    EXPECT_THAT(window.summary(), HasSubstr("KL"));
    window.fourClasses("point_estimate");
    EXPECT_THAT(window.chart().message, HasSubstr("single point"));
}

TEST(SimplexWorkbench, IsExportedWithoutHandlesAndWithItsNumbers)
{
    Triangle3 window;
    window.preset("fig_5_3_second");
    const QTemporaryDir folder;
    QSignalSpy exported(window->figures(), &FigureExport::exported);
    window->figures()->write({{"simplex_by_hand", "beta"}, {"pdf", "csv", "tex"}, folder.path(), {}, {}});
    ASSERT_TRUE(waitForSignal(exported, 20000));
    EXPECT_EQ(exported.front()[1].toString(), QString());
    EXPECT_EQ(exported.front()[0].toStringList().size(), 6);
    const Chart& full = window.bench().fullChart();
    EXPECT_EQ(full.id, "simplex");
    ASSERT_TRUE(full.table);
    EXPECT_NEAR(std::get<double>(full.table->rows[0][1]), 0.308176, 1e-6);
    EXPECT_LT(full.panels[0].series.size(), window.chart().panels[0].series.size());
}

TEST(SimplexWorkbench, TheDockShowsTheDistributionOfTheChosenInput)
{
    WindowDriver window;
    auto* view = window.showView("simplex");
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(view->chart().panels.size(), 1U);
    const auto before = data_table(view->chart()).rows;
    window.clickMap(0.4, 0.9);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_NE(data_table(view->chart()).rows, before);
}

TEST(BetaPanel, SlidersMoveTheDistributionAndAShapeBelowOneHasNoModeInTheStandardBasis)
{
    Triangle3 window;
    window.bench().showPage(1);
    ASSERT_TRUE(window.settled());
    EXPECT_EQ(window.bench().beta()->chart().panels[0].title, "Standard basis");
    window.find<QSlider>("beta_aSlider")->setValue(306);   // of 1000, from 0.05 to 200
    ASSERT_TRUE(window.settled());
    EXPECT_NEAR(window.bench().beta()->distribution().a, 0.05 * std::pow(4000, 0.306), 0.006);
    EXPECT_EQ(window.bench().beta()->chart().panels[0].title, "Standard basis: no mode");
    EXPECT_FALSE(window.find<QComboBox>("simplexSource")->isVisible());
    window.bench().showPage(0);
    EXPECT_TRUE(window.find<QComboBox>("simplexSource")->isVisible());
}
