// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/view_tabs.h"
#include "window_driver.h"

#include <QApplication>
#include <QLabel>
#include <QTabBar>
#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>

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
