// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/view_tabs.h"
#include "window_driver.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QRandomGenerator>
#include <QTabBar>
#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>

namespace {

/// What a user can do with a dock: float it, hide it, put it on top of or next to another one, or
/// on another side of the window.
void rearrange(QMainWindow& window, const QList<QDockWidget*>& docks, QRandomGenerator& dice)
{
    auto* one   = docks[dice.bounded(docks.size())];
    auto* other = docks[dice.bounded(docks.size())];
    switch (dice.bounded(6)) {
    case 0: one->setFloating(!one->isFloating()); break;
    case 1: one->setVisible(one->isHidden()); break;
    case 2: window.addDockWidget(Qt::DockWidgetArea(1 << dice.bounded(4)), one); break;
    case 3:
        if (one != other && !other->isFloating())
            window.splitDockWidget(other, one, dice.bounded(2) ? Qt::Vertical : Qt::Horizontal);
        break;
    default:
        if (one != other && !other->isFloating())
            window.tabifyDockWidget(other, one);
    }
}

}   // namespace

TEST(DockLayout, IsResetFromAnyArrangement)
{
    WindowDriver window;
    const auto docks   = window->findChildren<QDockWidget*>();
    auto* reset        = window.find<QAction>("resetLayout");
    auto* lecture      = window.find<QAction>("lectureMode");
    const auto inSight = [&] {
        QList<QRect> places;
        for (const auto* dock : docks)
            places += dock->visibleRegion().isEmpty() ? QRect() : dock->geometry();
        return places;
    };
    reset->trigger();
    ASSERT_TRUE(window.waitForPictures());
    const auto first = inSight();
    const QSize size = window->size();
    QRandomGenerator dice(5);
    for (int round = 0; round < 8; ++round) {
        for (int i = 0; i < 12; ++i) {
            rearrange(*window.operator->(), docks, dice);
            if (i == 8 && dice.bounded(2))
                lecture->trigger();
            if (dice.bounded(3) == 0)
                QCoreApplication::processEvents();
        }
        window->resize(800 + dice.bounded(600), 600 + dice.bounded(400));
        reset->trigger();
        EXPECT_FALSE(lecture->isChecked());
        for (const auto* dock : docks)
            EXPECT_FALSE(dock->isFloating()) << round;
    }
    window->resize(size);
    reset->trigger();
    EXPECT_TRUE(window.waitFor([&] { return inSight() == first; }, 5000));
}

namespace {

struct Tabs : QTabWidget {
    Tabs()
    {
        for (const char* title : {"Curves", "Errors", "Scores", "Certainty", "Confusion", "Chains", "Traces"})
            addTab(new QLabel(this), QString::fromLatin1(title));
        setUsesScrollButtons(true);
        setDocumentMode(true);
        resize(260, 120);
        show();
        QTest::qWait(1);
    }
    QStringList shown() const
    {
        QStringList titles;
        for (int i = 0; i < count(); ++i)
            if (isTabVisible(i))
                titles += tabText(i);
        return titles;
    }
};

}   // namespace

TEST(TabsOfViews, NoneIsCutOffWhenTheLastOnesAreHidden)
{
    Tabs tabs;
    QWidget *chains = tabs.widget(5), *traces = tabs.widget(6), *errors = tabs.widget(1);
    setTabShown(tabs, chains, false);
    setTabShown(tabs, traces, false);
    tabs.setCurrentWidget(errors);
    EXPECT_EQ(tabs.tabBar()->tabRect(0).left(), 0) << "the tabs do not leave a gap on the left";
    const int last = tabs.count() - 1;
    EXPECT_EQ(tabs.tabText(last), "Confusion");
    tabs.setCurrentIndex(last);
    EXPECT_LE(tabs.tabBar()->tabRect(last).right(), tabs.tabBar()->width());
    EXPECT_GE(tabs.tabBar()->tabRect(last).left(), 0);
}

TEST(TabsOfViews, NeitherWheelNorKeysReachAHiddenTab)
{
    Tabs tabs;
    QWidget *curves = tabs.widget(0), *scores = tabs.widget(2), *traces = tabs.widget(6);
    for (QWidget* page : {curves, tabs.widget(1), traces})
        setTabShown(tabs, page, false);
    tabs.setCurrentWidget(scores);
    const auto roll = [&](int up) {
        QWheelEvent wheel(QPointF(5, 5), tabs.tabBar()->mapToGlobal(QPointF(5, 5)), {}, {0, 120 * up}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(tabs.tabBar(), &wheel);
    };
    for (const int way : {1, -1}) {
        tabs.setCurrentWidget(scores);
        for (int i = 0; i < tabs.count(); ++i) {
            roll(way);
            EXPECT_TRUE(tabs.isTabVisible(tabs.currentIndex())) << tabs.currentIndex();
            QTest::keyClick(tabs.tabBar(), way > 0 ? Qt::Key_Left : Qt::Key_Right);
            EXPECT_TRUE(tabs.isTabVisible(tabs.currentIndex())) << tabs.currentIndex();
        }
    }
    setTabShown(tabs, curves, true);
    tabs.setCurrentWidget(scores);
    roll(1);
    EXPECT_EQ(tabs.currentWidget(), curves) << "what is shown again can be reached again";
    EXPECT_TRUE(curves->isEnabled());
}

TEST(TabsOfViews, KeepTheirOrderWhenSomeAreHiddenAndShownAgain)
{
    Tabs tabs;
    const QStringList all = tabs.shown();
    QWidget *chains = tabs.widget(5), *traces = tabs.widget(6), *scores = tabs.widget(2);
    tabs.setCurrentWidget(scores);
    for (QWidget* page : {traces, chains, scores})
        setTabShown(tabs, page, false);
    EXPECT_EQ(tabs.shown(), (QStringList{"Curves", "Errors", "Certainty", "Confusion"}));
    for (QWidget* page : {chains, scores, traces})
        setTabShown(tabs, page, true);
    EXPECT_EQ(tabs.shown(), all);
}
