// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/link_files.h"
#include "gui/settle.h"
#include "lessons/lesson_controls.h"
#include "parts/area_splits.h"
#include "parts/view_area.h"
#include "parts/window_part.h"
#include "parts/workbench.h"
#include "session/settings.h"
#include "study/presets.h"
#include "window_driver.h"

#include "results/picture_link.h"

#include <QAction>
#include <QInputDialog>
#include <QJsonArray>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QTest>
#include <QToolButton>
#include <gmock/gmock.h>

using namespace credence;
using testing::HasSubstr;

namespace {

class Dividing : public WindowDriver {
public:
    Dividing() : stage(*find<AreaSplits>("stage")), first(*find<ViewArea>("centreTabs")) { showView("decision_map"); }

    void trigger(const char* action)
    {
        find<QAction>(action)->trigger();
        settle();
    }
    ViewArea& split(const char* action, ViewArea& area)
    {
        area.takeFocus();
        trigger(action);
        return *stage.areas().back();
    }
    void choose(ViewArea& area, const QString& title)
    {
        auto* menu       = openMenu(area);
        auto* list       = menu->findChild<QListView*>("paletteList");
        const auto found = list->model()->match(list->model()->index(0, 0), Qt::DisplayRole, title, -1,
                                                Qt::MatchExactly | Qt::MatchCaseSensitive);
        for (const auto& index : found)   // a caption may have the same text
            if (index.flags().testFlag(Qt::ItemIsEnabled))
                list->setCurrentIndex(index);
        QTest::keyClick(menu->findChild<QLineEdit*>("paletteSearch"), Qt::Key_Return);
        settle();
    }
    bool shows(const ViewArea& area, const char* view)
    {
        auto* panel = window().panel(view);
        return panel->isVisible() && area.isAncestorOf(panel);
    }
    QString shown(const char* area) { return find<ViewArea>(area)->currentPage().id; }
    void saveArrangement(const QString& name)
    {
        trigger("saveArrangement");
        auto* ask = find<QInputDialog>("arrangementName");
        ASSERT_TRUE(ask);
        ask->setTextValue(name);
        ask->accept();
        settle();
    }

    AreaSplits& stage;
    ViewArea& first;
};

/// Arrangements as they would be found at the start.
struct SavedArrangements {
    explicit SavedArrangements(const QByteArray& json) { write(settings::arrangements, json); }
    ~SavedArrangements() { stateFile().remove(settings::arrangements.key); }
};

}   // namespace

TEST(Areas, AHalfShowsAViewOfAnotherPartOfTheWindowAndReturnsIt)
{
    Dividing window;
    ASSERT_EQ(window.shown("trainingTabs"), "training_curves");
    auto& half = window.split("splitRight", window.first);
    ASSERT_EQ(window.stage.areas().size(), 2U);
    EXPECT_TRUE(window.shows(window.first, "decision_map"));
    EXPECT_FALSE(half.currentPage().id.isEmpty()) << "a new half is never empty";
    EXPECT_GT(half.width(), 150);

    window.choose(half, "Training");
    EXPECT_TRUE(window.shows(half, "training_curves"));
    EXPECT_TRUE(half.isAncestorOf(window.find<QWidget>("data/training_curves"))) << "with its controls";
    EXPECT_NE(window.shown("trainingTabs"), "training_curves") << "a view has one panel";
    ASSERT_TRUE(window.train(50));
    EXPECT_TRUE(window->panel("training_curves")->hasChart());

    half.takeFocus();
    window.trigger("closeHalf");
    EXPECT_EQ(window.stage.areas().size(), 1U);
    EXPECT_TRUE(window.offers("training_curves"));
    EXPECT_EQ(window.areaOf("training_curves"), window.find<ViewArea>("trainingTabs"));
    EXPECT_TRUE(window.shows(window.first, "decision_map"));
}

TEST(Areas, EveryViewIsOfferedInEachAreaOfTheStage)
{
    Dividing window;
    auto& half = window.split("splitBelow", window.first);
    for (const auto* area : {&window.first, &half}) {
        QStringList offered;
        for (const auto& page : area->choices()) {
            EXPECT_FALSE(offered.contains(page.id)) << page.id.toStdString() << " twice";
            offered += page.id;
        }
        for (const auto* name : {"centreTabs", "inputTabs", "layersTabs", "weightsTabs", "trainingTabs"})
            for (const auto& page : window.find<ViewArea>(name)->pages())
                EXPECT_TRUE(offered.contains(page.id)) << page.id.toStdString();
    }
}

TEST(Areas, TheStageHasAtMostFour)
{
    Dividing window;
    auto* split = window.find<QToolButton>("centreTabs/split");
    ASSERT_NE(split->menu(), nullptr);
    for (int k = 0; k < 5; ++k)
        window.split(k % 2 == 0 ? "splitRight" : "splitBelow", window.first);
    EXPECT_EQ(window.stage.areas().size(), 4U);
    EXPECT_FALSE(split->menu()->actions().front()->isEnabled());
    for (const auto* area : window.stage.areas())
        EXPECT_FALSE(area->visibleRegion().isEmpty()) << area->objectName().toStdString();
    for (int k = 0; k < 5; ++k) {
        window.first.takeFocus();
        window.trigger("closeHalf");
    }
    EXPECT_EQ(window.stage.areas().size(), 1U);
    EXPECT_TRUE(window.first.isVisible());
}

TEST(Areas, TwoHalvesExchangeTheirViews)
{
    Dividing window;
    auto& half = window.split("splitRight", window.first);
    half.showHere(QStringLiteral("training_curves"));
    half.showHere(QStringLiteral("predictions"));
    settle();
    EXPECT_TRUE(window.shows(half, "decision_map"));
    EXPECT_TRUE(window.shows(window.first, "training_curves"));
    window->navigator().show("decision_map");
    EXPECT_TRUE(window.shows(half, "decision_map")) << "it is shown where it is";
    window.clickMap(0.5, 0.2);
    EXPECT_FALSE(window->context().selection.numbers().empty());
}

TEST(Areas, WhenTheFirstHalfIsClosedTheOtherViewStays)
{
    Dividing window;
    window.split("splitRight", window.first).showHere(QStringLiteral("training_curves"));
    window.first.takeFocus();
    window.trigger("closeHalf");
    ASSERT_EQ(window.stage.areas().size(), 1U);
    EXPECT_TRUE(window.shows(window.first, "training_curves"));
    window->navigator().show({});
    EXPECT_TRUE(window.shows(window.first, "decision_map"));
}

TEST(Areas, TheFirstOneIsClosedNextToADividedOne)
{
    Dividing window;
    auto& right = window.split("splitRight", window.first);
    window.split("splitBelow", right);
    ASSERT_EQ(window.stage.areas().size(), 3U);
    const int half = window.first.width();
    window.first.takeFocus();
    window.trigger("closeHalf");
    ASSERT_EQ(window.stage.areas().size(), 2U);
    for (const auto* area : window.stage.areas()) {
        EXPECT_FALSE(area->visibleRegion().isEmpty());
        EXPECT_GT(area->width(), half);
        EXPECT_FALSE(area->currentPage().id.isEmpty());
    }
    EXPECT_FALSE(window->panel("decision_map")->isVisible());
}

TEST(Areas, AViewThatNoLongerAppliesLeavesItsHalf)
{
    Dividing window;
    auto& half = window.split("splitRight", window.first);
    half.showHere(QStringLiteral("roc"));
    settle();
    ASSERT_TRUE(window.shows(half, "roc"));
    window->session().setStudy(preset("sine_gap"));
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_FALSE(half.isAncestorOf(window->panel("roc")));
    const auto page = half.currentPage();
    EXPECT_TRUE(page.there && page.cheap) << page.id.toStdString();
}

TEST(Areas, AViewInItsOwnWindowReturnsWhenThatIsClosed)
{
    Dividing window;
    window.first.takeFocus();
    window.trigger("areaWindow");
    auto* map = window->panel("decision_map");
    ASSERT_NE(map->window(), &window.window());
    EXPECT_TRUE(map->isVisible());
    EXPECT_EQ(window.first.currentPage().id, "") << "no other view comes to the front";
    ASSERT_TRUE(window.train(50));
    EXPECT_TRUE(map->hasChart());
    map->window()->close();
    settle();
    EXPECT_EQ(map->window(), &window.window());
    EXPECT_TRUE(window.shows(window.first, "decision_map"));

    window.first.openWindow();
    settle();
    window.first.showHere(QStringLiteral("training_curves"));
    map->window()->close();
    settle();
    EXPECT_TRUE(window.shows(window.first, "training_curves")) << "a view that was chosen meanwhile stays";
    window->navigator().show({});
    EXPECT_TRUE(window.shows(window.first, "decision_map"));
}

TEST(Areas, OneIsShownAloneUntilTheKeyIsPressedAgain)
{
    Dividing window;
    auto& half = window.split("splitRight", window.first);
    half.showHere(QStringLiteral("training_curves"));
    settle();
    const QSize before = half.size();
    window->workbench().toggleAlone(window->panel("training_curves"));
    settle();
    EXPECT_FALSE(window.first.isVisible());
    EXPECT_TRUE(window.shows(half, "training_curves"));
    EXPECT_GT(half.width(), window->width() * 9 / 10);
    window->workbench().toggleAlone(nullptr);
    settle();
    EXPECT_TRUE(window.shows(window.first, "decision_map"));
    EXPECT_NEAR(half.width(), before.width(), 10);
}

TEST(Areas, LessonsAndLinksFindAViewInAHalf)
{
    Dividing window;
    auto& half = window.split("splitBelow", window.first);
    half.showHere(QStringLiteral("calibration"));
    settle();
    EXPECT_EQ(chooseInControl(window.window(), "trainingTabs", "Calibration"), "");
    EXPECT_TRUE(window.shows(half, "calibration"));
    EXPECT_EQ(lessonControl(window.window(), "calibration"), window->panel("calibration"));
    window->navigator().show("calibration");
    EXPECT_TRUE(window.shows(half, "calibration"));
    window->workbench().toggleAlone(window->panel("decision_map"));
    settle();
    ASSERT_FALSE(window->panel("calibration")->isVisible());
    PictureLink link;
    link.study                 = window.study();
    link.study->training.steps = 20;
    link.view                  = "calibration";
    window->openLink(link);
    ASSERT_TRUE(window.waitFor([&] { return !window->findChild<LinkFiles*>()->waiting(); }));
    EXPECT_TRUE(window.waitFor([&] { return window.shows(half, "calibration"); }));
}

TEST(Arrangements, OneIsSavedAppliedAndDeleted)
{
    const SavedArrangements none({});
    Dividing window;
    window.split("splitBelow", window.first).showHere(QStringLiteral("calibration"));
    window.find<ViewArea>("inputTabs")->showHere(QStringLiteral("intervals"));
    window.setOpen("trainingDock", false);
    settle();
    const auto rows = window.first.height();
    window.saveArrangement("Talk & exercise");
    window.trigger("resetLayout");
    ASSERT_EQ(window.stage.areas().size(), 1U);
    window.find<ViewArea>("inputTabs")->showHere(QStringLiteral("boxplots"));
    window.setOpen("trainingDock", true);

    window.trigger("arrangement/Talk & exercise");
    ASSERT_EQ(window.stage.areas().size(), 2U);
    EXPECT_TRUE(window.shows(*window.stage.areas().back(), "calibration"));
    EXPECT_EQ(window.shown("inputTabs"), "intervals");
    EXPECT_FALSE(window.isOpen("trainingDock"));
    EXPECT_NEAR(window.first.height(), rows, 40);

    window.trigger("deleteArrangement/Talk & exercise");
    EXPECT_TRUE(window.waitFor([&] { return !window->findChild<QAction*>("arrangement/Talk & exercise"); }));
    EXPECT_EQ(window.stage.areas().size(), 2U);
}

TEST(Arrangements, ADamagedOrOlderOneIsIgnoredWithASentence)
{
    const SavedArrangements saved(R"({"Old": {"version": 0, "window": {"study": false}}, "Torn": 5})");
    for (const char* name : {"Old", "Torn"}) {
        Dividing window;
        window.split("splitRight", window.first);
        window.trigger(qPrintable("arrangement/" + QString(name)));
        EXPECT_THAT(window->message().toStdString(), HasSubstr(name));
        EXPECT_THAT(window->message().toStdString(), HasSubstr("is ignored"));
        EXPECT_EQ(window.stage.areas().size(), 2U);
    }
}

TEST(Arrangements, WhatCannotBeReadInOneIsLeftOut)
{
    Dividing window;
    QJsonObject node{{"view", "no such view"}};
    for (int depth = 0; depth < 20; ++depth)
        node = {{"split", depth}, {"sizes", "wide"}, {"parts", QJsonArray{node, QJsonObject{{"first", true}}}}};
    window.stage.restore({{"stage", node}, {"views", 7}});
    settle();
    EXPECT_EQ(window.stage.areas().size(), 4U);
    window.trigger("resetLayout");
    EXPECT_EQ(window.stage.areas().size(), 1U);
    EXPECT_TRUE(window.shows(window.first, "decision_map"));
}

TEST(Areas, TheSplitsAreRememberedBetweenStarts)
{
    {
        Dividing window;
        window.split("splitRight", window.first).showHere(QStringLiteral("calibration"));
        auto& below = window.split("splitBelow", *window.stage.areas().back());
        below.showHere(QStringLiteral("training_curves"));
        settle();
        window->close();
    }
    AppContext context;
    MainWindow window(context);
    window.restoreLayout();
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    settle();
    const auto* stage = window.findChild<AreaSplits*>("stage");
    ASSERT_EQ(stage->areas().size(), 3U);
    EXPECT_TRUE(stage->isAncestorOf(window.panel("calibration")));
    EXPECT_TRUE(stage->isAncestorOf(window.panel("training_curves")));
    const auto topOf = [&](const char* view) { return window.panel(view)->mapTo(&window, QPoint()).y(); };
    EXPECT_GT(topOf("training_curves"), topOf("calibration"));
    window.workbench().reset();
    window.close();   // the next window starts without splits
}
