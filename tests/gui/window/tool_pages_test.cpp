// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "window_driver.h"

#include "parts/rail.h"
#include "parts/tool_page.h"
#include "parts/window_part.h"
#include "parts/workbench.h"
#include "parts/workspace_stack.h"
#include "study/study_panel.h"

#include <QAbstractButton>
#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QSpinBox>
#include <QToolButton>
#include <QUndoStack>

#include <map>

using namespace credence;

namespace {

constexpr const char* toolActions[] = {"bridgeSamplingAction", "doubleWellAction", "banditAction",
                                       "activeLearningAction", "sweepAction",      "papersAction",
                                       "dataSetsAction"};

/// A window in which pages take the place of the stage.
class Pages : public WindowDriver {
public:
    ~Pages()
    {
        for (auto* page : window().findChildren<ToolPage*>())
            page->cancel();
    }
    WorkspaceStack& stack() { return window().workbench().pages(); }
    ToolPage* open(const char* action)
    {
        find<QAction>(action)->trigger();
        auto* page = qobject_cast<ToolPage*>(stack().page());
        EXPECT_NE(page, nullptr) << action;
        return page;
    }
    QStringList openParts()
    {
        QStringList open;
        for (const auto* part : window().workbench().parts())
            if (window().workbench().isOpen(*part))
                open += part->objectName();
        return open;
    }
    QString workspace() { return window().workbench().rail().current(); }
    QWidget* map() { return window().panel("decision_map"); }
};

}   // namespace

TEST(ToolPages, FillTheWindowAndBackReturnsToTheStudyAsItWas)
{
    Pages window;
    const auto parts = window.openParts();
    EXPECT_FALSE(parts.isEmpty());
    const auto workspace = window.workspace();
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window.window()));
    const QSize size = window->size();
    auto* seed       = window.find<QWidget>("seed");
    seed->setFocus();
    for (const char* action : toolActions) {
        auto* page = window.open(action);
        ASSERT_NE(page, nullptr);
        EXPECT_FALSE(page->isWindow());
        EXPECT_TRUE(page->isVisible());
        EXPECT_TRUE(page->isAncestorOf(QApplication::focusWidget())) << action;
        EXPECT_FALSE(window.map()->isVisible());
        EXPECT_EQ(window.openParts(), QStringList()) << action;
        EXPECT_GE(page->width(), size.width() - 100) << "only the rail is next to it";
    }
    EXPECT_EQ(window->size(), size) << "no page widens the window";
    window.clickButton("leavePage");
    EXPECT_EQ(window.stack().page(), nullptr);
    EXPECT_TRUE(window.map()->isVisible());
    EXPECT_EQ(window.openParts(), parts);
    EXPECT_EQ(window.workspace(), workspace);
    EXPECT_TRUE(seed->hasFocus());
}

TEST(ToolPages, TheRailMarksAndLeavesThem)
{
    Pages window;
    for (const char* id : {"sweep", "decide", "papers"}) {
        window.clickButton(QLatin1String("workspace/") + QLatin1String(id));
        EXPECT_NE(window.stack().page(), nullptr) << id;
        EXPECT_EQ(window.workspace(), id);
    }
    window.clickButton("workspace/explore");
    EXPECT_EQ(window.stack().page(), nullptr);
    EXPECT_EQ(window.workspace(), "explore");
    EXPECT_TRUE(window.map()->isVisible());
}

TEST(ToolPages, FitIntoASmallWindow)
{
    Pages window;
    for (const char* action : toolActions) {
        const auto* page = window.open(action);
        ASSERT_NE(page, nullptr);
        EXPECT_LE(page->minimumSizeHint().width(), 940) << action;
        EXPECT_LE(page->minimumSizeHint().height(), 560) << action;
    }
}

TEST(ToolPages, EscapeAndCtrlWReturnToTheStudy)
{
    Pages window;
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window.window()));
    auto* page = window.open("banditAction");
    ASSERT_NE(page, nullptr);
    QTest::keyClick(page->findChild<QSpinBox*>("banditSeeds"), Qt::Key_Escape);
    EXPECT_EQ(window.stack().page(), nullptr);
    EXPECT_EQ(window.open("banditAction"), page) << "it is made once";
    QTest::keyClick(page, Qt::Key_W, Qt::ControlModifier);
    EXPECT_EQ(window.stack().page(), nullptr);
    EXPECT_FALSE(page->isVisible());
}

TEST(ToolPages, KeysOfTheMenusThatChangeTheStudyRestWhileAPageIsInFront)
{
    Pages window;
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window.window()));
    auto& undo = window->context().document.undo();
    undo.push(new QUndoCommand);
    auto* page = window.open("doubleWellAction");
    ASSERT_NE(page, nullptr);
    QTest::keyClick(page, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(undo.index(), 1);
    QTest::keyClick(page, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_NE(window.stack().page(), nullptr);
    EXPECT_EQ(window.stack().page()->objectName(), "papers") << "tools open from every page";
    window.stack().showStage();
    QTest::keyClick(&window.window(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(undo.index(), 0) << "the Study is in front again";
}

TEST(ToolPages, AViewOrAMenuEntryOfTheStudyBringsTheStudyToTheFront)
{
    Pages window;
    window.open("papersAction");
    window->navigator().show("decision_map");
    EXPECT_EQ(window.stack().page(), nullptr);
    auto* page = window.open("papersAction");
    ASSERT_NE(page, nullptr);
    window->navigator().reveal(*window.window().findChild<StudyPanel*>());
    EXPECT_EQ(window.stack().page(), nullptr);
    window->navigator().reveal(*page->findChild<QWidget*>("papersTree"));
    EXPECT_EQ(window.stack().page(), page);
    window->navigator().reveal(*window->menuBar());
    EXPECT_EQ(window.stack().page(), page) << "the menu is there in any case";
    window.find<QAction>("testRowsAction")->trigger();
    EXPECT_EQ(window.stack().page(), nullptr);
}

TEST(ToolPages, TheLayoutOfTheStudyIsRememberedWhileAPageIsInFront)
{
    QStringList parts;
    QSize size;
    {
        Pages window;
        parts = window.openParts();
        size  = window->size();
        window.open("papersAction");
        window->close();
    }
    Pages window;
    window->restoreLayout();
    window->resize(size);   // newer Qt makes it no larger than the screen
    settle();
    EXPECT_EQ(window.openParts(), parts);
}

TEST(Workspaces, CompareGivesTheTableOfRunsTheHeightOfItsRows)
{
    WindowDriver window;
    window->resize(1280, 800);
    window.clickButton("workspace/compare");
    auto* part = window->findChild<WindowPart*>("runsTableDock");
    ASSERT_TRUE(part && part->isVisible());
    const int needed = part->content()->sizeHint().height();
    EXPECT_LT(needed, part->parentWidget()->height() * 5 / 12) << "the share of other parts";
    EXPECT_TRUE(window.waitFor([&] { return part->height() <= needed + 2; }))
        << part->height() << " pixels, its rows need " << needed;
}

TEST(ToolPages, NoTwoControlsInSightShareAMnemonic)
{
    Pages window;
    for (const char* action : toolActions) {
        window.open(action);
        std::map<QString, QString> taken;
        for (const auto* menu : window->menuBar()->actions())
            taken.emplace(QKeySequence::mnemonic(menu->text()).toString(), menu->text());
        for (const auto* button : window->findChildren<QAbstractButton*>()) {
            const QString key = button->shortcut().toString();
            if (key.isEmpty() || !button->isVisible())
                continue;
            const auto [at, fresh] = taken.emplace(key, button->text());
            EXPECT_TRUE(fresh) << action << ": " << at->second.toStdString() << " and " << button->text().toStdString();
        }
    }
}
