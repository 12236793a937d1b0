// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "runs/run_bar.h"

#include <QMenu>
#include <QMenuBar>
#include <QToolButton>

using namespace credence;
using testing::HasSubstr;
using testing::Not;

namespace {

QToolButton* trainButton(WindowDriver& window)
{
    auto* bar = window->findChild<RunBar*>();
    return bar->buttonOf(bar->trainAction());
}

}   // namespace

TEST(TrainButton, ShowsTheExpectedTimeOnceARunOfThisKindHasFinished)
{
    WindowDriver window;
    auto* button = trainButton(window);
    ASSERT_NE(button, nullptr);
    EXPECT_THAT(button->toolTip().toStdString(), Not(HasSubstr("Expected time")));
    const int width = button->sizeHint().width();
    ASSERT_TRUE(window.train(300));
    window.setSteps(400);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_THAT(button->toolTip().toStdString(), HasSubstr("Expected time"));
    EXPECT_GT(button->sizeHint().width(), width);
    Study other          = window.study();
    other.network.hidden = {7};
    window->session().setStudy(other);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_THAT(button->toolTip().toStdString(), Not(HasSubstr("Expected time"))) << "not known, so not shown";
    EXPECT_EQ(button->sizeHint().width(), width);
}

TEST(TrainButton, HasTheColourOfTheSelectionAndStartsByKeyboard)
{
    WindowDriver window;
    auto* button = trainButton(window);
    ASSERT_NE(button, nullptr);
    const QImage picture = button->grab().toImage();
    EXPECT_EQ(picture.pixelColor(picture.width() / 2, 4),
              button->palette().color(QPalette::Active, QPalette::Highlight));
    window.setSteps(50);
    window->activateWindow();
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    EXPECT_TRUE(window.waitForState(Session::State::ended));
}

TEST(TrainButton, IsAnOrdinaryEntryOfTheRunMenu)
{
    WindowDriver window;
    auto* train = window->findChild<RunBar*>()->trainAction();
    EXPECT_EQ(train->text().remove('&'), "Train");
    int menus = 0;
    for (const auto* menu : window->menuBar()->findChildren<QMenu*>())
        menus += menu->actions().contains(train);
    EXPECT_EQ(menus, 1);
}
