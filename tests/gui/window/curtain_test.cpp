// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/prediction_area.h"
#include "window_driver.h"

#include <QLabel>
#include <QMouseEvent>
#include <QSlider>
#include <QToolButton>

using namespace credence;

namespace {

void tickRun(WindowDriver& window, int row)
{
    window->context().runs.setData(window->context().runs.index(row, SavedRuns::name), Qt::Checked, Qt::CheckStateRole);
}

/// Maps of two runs, side by side.
void compareTwoRuns(WindowDriver& window)
{
    ASSERT_TRUE(window.train(100));
    window.choose("posterior.family/editor", "point_estimate");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.train(100));
    ASSERT_EQ(window->context().runs.rowCount(), 2);
    tickRun(window, 0);
    tickRun(window, 1);
    ASSERT_TRUE(window.waitForPictures());
    window.clickButton("compareRuns");
    EXPECT_FALSE(window->panel("compare_decision_maps")->chart().panels.empty()) << "the stage is never blank";
    EXPECT_EQ(window.find<QToolButton>("curtain")->toolTip(), "The maps are being computed.");
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_EQ(window->panel("compare_decision_maps")->chart().panels.size(), 2U);
}

struct CurtainOfTwo {
    explicit CurtainOfTwo(WindowDriver& window)
        : area(window.find<QWidget>("curtainArea")), handle(window.find<QSlider>("curtainHandle")),
          left(window.find<ChartView>("curtainLeft")), right(window.find<ChartView>("curtainRight"))
    {}
    /// Until the handle is on the axes at this share of their width.
    bool isAt(WindowDriver& window, double share) const
    {
        return window.waitFor([&] {
            const QRect axes = left->panelRect(0);
            const double x   = axes.left() + share * axes.width();
            return !axes.isEmpty() && std::abs(handle->geometry().center().x() - x) <= 3
                   && std::abs(right->mask().boundingRect().left() - x) <= 3;
        });
    }
    void dragTo(double share) const
    {
        const QRect axes    = left->panelRect(0);
        const QPoint inArea = axes.topLeft() + QPoint(static_cast<int>(share * axes.width()), axes.height() / 2);
        const auto inHandle = [&] { return handle->mapFrom(area, inArea); };
        QTest::mousePress(handle, Qt::LeftButton, {}, handle->rect().center());
        QMouseEvent move(QEvent::MouseMove, inHandle(), handle->mapToGlobal(inHandle()), Qt::NoButton, Qt::LeftButton,
                         {});
        QApplication::sendEvent(handle, &move);
        QTest::mouseRelease(handle, Qt::LeftButton, {}, inHandle());
    }

    QWidget* area;
    QSlider* handle;
    ChartView *left, *right;
};

}   // namespace

TEST(Curtain, FollowsTheMouseAndTheArrowKeysBetweenTwoMapsOnOneScale)
{
    WindowDriver window;
    compareTwoRuns(window);
    window.clickButton("curtain");
    const CurtainOfTwo curtain(window);
    ASSERT_TRUE(curtain.isAt(window, 0.5));
    EXPECT_EQ(window->focusWidget(), curtain.handle);
    EXPECT_FALSE(window->panel("compare_decision_maps")->chartView()->isVisible());
    EXPECT_EQ(curtain.left->panelRect(0), curtain.right->panelRect(0));
    const auto map = [](const ChartView* view) { return std::get<HeatMap>(view->chart().panels.at(0).series.at(0)); };
    EXPECT_EQ(map(curtain.left).z_range, map(curtain.right).z_range);
    EXPECT_NE(map(curtain.left).z, map(curtain.right).z);

    curtain.dragTo(0.25);
    EXPECT_TRUE(curtain.isAt(window, 0.25));
    const QRect axes = curtain.left->panelRect(0);
    const auto at    = [&](double share) {
        return curtain.area->childAt(axes.left() + static_cast<int>(share * axes.width()), axes.center().y());
    };
    EXPECT_TRUE(curtain.left->isAncestorOf(at(0.1)));
    EXPECT_TRUE(curtain.right->isAncestorOf(at(0.6)));

    const int before = curtain.handle->value();
    QTest::keyClick(curtain.handle, Qt::Key_Right);
    EXPECT_GT(curtain.handle->value(), before);
    QTest::keyClick(curtain.handle, Qt::Key_Home);
    EXPECT_TRUE(curtain.isAt(window, 0));
    QTest::keyClick(curtain.handle, Qt::Key_End);
    EXPECT_TRUE(curtain.isAt(window, 1));
    QTest::mouseDClick(curtain.handle, Qt::LeftButton);
    EXPECT_TRUE(curtain.isAt(window, 0.5));

    EXPECT_FALSE(curtain.handle->accessibleName().isEmpty());
    EXPECT_THAT(curtain.handle->accessibleDescription().toStdString(), testing::StartsWith("50 % of the width shows "));
    const auto names = window->panel("compare_decision_maps")->chart().panels;
    EXPECT_EQ(curtain.left->accessibleName().toStdString(), names[0].title);
    EXPECT_EQ(curtain.right->accessibleName().toStdString(), names[1].title);
    EXPECT_TRUE(window.find<QLabel>("curtainLeftName")->isVisible());
}

TEST(Curtain, AcceptsClicksAndGivesWayToTheMapsSideBySide)
{
    WindowDriver window;
    compareTwoRuns(window);
    window.clickButton("curtain");
    const CurtainOfTwo curtain(window);
    ASSERT_TRUE(curtain.isAt(window, 0.5));
    const QPoint at = curtain.left->positionOf(0, -0.5, 0.5).toPoint();
    auto* target    = curtain.area->childAt(at);
    ASSERT_NE(target, nullptr);
    QTest::mouseClick(target, Qt::LeftButton, {}, target->mapFrom(curtain.area, at));
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_EQ(window->context().requests.chosen().input.values.size(), 2U);
    EXPECT_NEAR(window->context().requests.chosen().input.values[0], -0.5, 0.1);
    window.clickButton("curtain");
    EXPECT_TRUE(window->panel("compare_decision_maps")->chartView()->isVisible());
    EXPECT_FALSE(curtain.area->isVisible());
    EXPECT_EQ(window->panel("compare_decision_maps")->chartView()->chart().panels.size(), 2U);
}

TEST(Curtain, NeedsTwoMapsAndSaysSo)
{
    WindowDriver window;
    auto* button = window.find<QToolButton>("curtain");
    EXPECT_FALSE(button->isEnabled());
    compareTwoRuns(window);
    window.clickButton("curtain");
    EXPECT_TRUE(window.find<QWidget>("curtainArea")->isVisible());
    window.clickAction("restart");
    ASSERT_TRUE(window.waitFor([&] { return window->context().runs.rowCount() == 3; }));
    for (int row = 0; row < 3; ++row)
        tickRun(window, row);
    if (!window.find<QAbstractButton>("compareRuns")->isChecked())
        window.clickButton("compareRuns");
    ASSERT_TRUE(window.waitFor([&] { return window->panel("compare_decision_maps")->chart().panels.size() == 3; }));
    EXPECT_FALSE(button->isEnabled());
    EXPECT_EQ(button->toolTip().toStdString(), "A curtain shows exactly two maps. Tick two runs instead of 3.");
    EXPECT_TRUE(window->panel("compare_decision_maps")->chartView()->isVisible());
}
