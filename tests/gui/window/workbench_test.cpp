// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "gui/wait_until.h"
#include "window_driver.h"

#include "parts/appearance.h"
#include "parts/rail.h"
#include "parts/window_part.h"
#include "parts/workbench.h"
#include "runs/run_bar.h"
#include "session/settings.h"
#include "study/presets.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QMenuBar>
#include <QRandomGenerator>
#include <QSlider>
#include <QStatusBar>
#include <QToolButton>
#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;

namespace {

/// Ends the use of the keyboard by a test before.
void useMouse(MainWindow& window) { QTest::mouseClick(window.statusBar(), Qt::LeftButton); }

/// A window as at the first start.
struct FirstStart {
    explicit FirstStart(const QSize& size) : window(context)
    {
        window.resize(size);
        window.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
        useMouse(window);
        settle();
    }
    bool open(const char* part) { return window.workbench().isOpen(*window.workbench().part(part)); }
    void set(const char* part, bool open)
    {
        window.workbench().part(part)->setOpen(open);
        settle();
    }
    double stageShare()
    {
        const QRect stage = window.workbench().stageRect();
        return static_cast<double>(stage.width()) * stage.height() / (window.width() * window.height());
    }

    AppContext context;
    MainWindow window;
};

/// What a user can do with the parts of the window.
void rearrange(WindowDriver& window, QRandomGenerator& dice)
{
    auto& workbench = window->workbench();
    auto* part      = workbench.parts()[dice.bounded(static_cast<int>(workbench.parts().size()))];
    switch (dice.bounded(6)) {
    case 0: Q_EMIT part->windowRequested(); break;
    case 1: workbench.toggleAlone(part->content()); break;
    case 2: workbench.setOnStage({part->objectName()}); break;
    default: part->setOpen(dice.bounded(2) == 1);
    }
}

/// Each button, line, slider, number and list of choices in sight, with its parts once, outside of menu bar, rail and
/// status bar.
QStringList controlsInSight(const MainWindow& window)
{
    const auto isPart = [&](const QWidget& widget) {
        for (const auto* around = widget.parentWidget(); around; around = around->parentWidget())
            if (qobject_cast<const QAbstractSpinBox*>(around) || qobject_cast<const QComboBox*>(around)
                || qobject_cast<const QMenuBar*>(around) || qobject_cast<const QStatusBar*>(around)
                || around == &window.workbench().rail())
                return true;
        return false;
    };
    QStringList found;
    for (const auto* widget : window.findChildren<QWidget*>()) {
        const bool control = qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget)
                             || qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QLineEdit*>(widget)
                             || qobject_cast<const QSlider*>(widget);
        if (control && !isPart(*widget) && !widget->visibleRegion().isEmpty())
            found += widget->objectName().isEmpty() ? widget->accessibleName() : widget->objectName();
    }
    return found;
}

}   // namespace

TEST(Workbench, TheStageHasMoreThanHalfOfTheWindow)
{
    FirstStart first({1280, 800});
    EXPECT_GE(first.stageShare(), 0.55) << "at the first start";
    first.set("inputDock", true);
    EXPECT_GE(first.stageShare(), 0.55) << "with the inspector";
    first.set("studyDock", true);
    EXPECT_GE(first.stageShare(), 0.55) << "with the Study again";
}

TEST(Workbench, TheStageHasMoreThanHalfOfTheWindowWithTextTwiceAsLarge)
{
    applyTextSize(200);
    {
        FirstStart first({1280, 800});
        EXPECT_FALSE(first.open("studyDock")) << "its strip is shown in its place";
        EXPECT_GE(first.stageShare(), 0.55) << "at the first start";
        first.window.workbench().inspect();
        settle();
        EXPECT_GE(first.stageShare(), 0.55) << "with a selected input";
        first.set("studyDock", true);
        EXPECT_TRUE(first.open("studyDock")) << "opened by the user";
    }
    applyTextSize(usualText);
}

TEST(Workbench, InALowWindowThePictureHasMoreRoomThanTheDrawer)
{
    FirstStart first({683, 384});   // 1366×768 at 200 %
    const auto* steps = first.window.findChild<QSlider*>("timeMachine")->parentWidget()->parentWidget();
    EXPECT_FALSE(steps->isHidden());
    first.set("trainingDock", true);
    const auto* drawer = first.window.workbench().part("trainingDock");
    ASSERT_TRUE(drawer->isVisible());
    EXPECT_GT(first.window.workbench().stageRect().height(), 1.1 * drawer->height());
    EXPECT_EQ(steps->isHidden(), steps->parentWidget()->height() < 190) << "the picture has its room";
    first.set("trainingDock", false);
    EXPECT_FALSE(steps->isHidden());
}

TEST(RunBar, ShowsPicturesAloneInANarrowWindow)
{
    FirstStart first({683, 500});
    auto* bar        = first.window.findChild<RunBar*>();
    const auto style = [bar] { return bar->buttonOf(bar->stepAction())->toolButtonStyle(); };
    EXPECT_EQ(style(), Qt::ToolButtonIconOnly);
    first.window.resize(1280, 800);
    settle();
    EXPECT_EQ(style(), Qt::ToolButtonTextBesideIcon);
}

TEST(Workbench, BelowAWideWindowOnlyOneSideIsOpen)
{
    FirstStart first({1280, 800});
    EXPECT_TRUE(first.open("studyDock"));
    EXPECT_FALSE(first.open("inputDock")) << "there is nothing to inspect yet";
    first.set("inputDock", true);
    EXPECT_FALSE(first.open("studyDock"));
    first.window.resize(1600, 900);
    settle();
    first.set("studyDock", true);
    EXPECT_TRUE(first.open("inputDock"));
    first.window.resize(1280, 800);
    settle();
    EXPECT_TRUE(first.open("studyDock")) << "it was opened last";
    EXPECT_FALSE(first.open("inputDock"));
}

TEST(Workbench, TheFirstClickOnTheMapOpensTheInspectorAndLaterOnesDoNot)
{
    WindowDriver window;
    auto& workbench = window->workbench();
    workbench.reset();
    settle();
    EXPECT_FALSE(window.isOpen("inputDock"));
    window.clickMap(0.5, 0.2);
    EXPECT_TRUE(window.isOpen("inputDock"));
    QTest::mouseClick(window.find<QToolButton>("closeInspector"), Qt::LeftButton);
    settle();
    EXPECT_FALSE(window.isOpen("inputDock"));
    window.clickMap(0.2, 0.5);
    EXPECT_FALSE(window.isOpen("inputDock"));
}

TEST(Inspector, NamesThePredictionForAPointOfTheMap)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    window.setOpen("inputDock", true);
    window.clickMap(0.2, 0.5);
    auto* verdict = window.find<QLabel>("inputVerdict");
    EXPECT_TRUE(window.waitFor([&] {
        return verdict->isVisible() && verdict->text().contains("Predicted")
               && verdict->text().contains("Epistemic / aleatoric");
    })) << verdict->text().toStdString();

    const auto fits = [&] {   // the label never scrolls: what does not fit is not visible
        return verdict->height() >= verdict->heightForWidth(verdict->width());
    };
    applyTextSize(largestText);
    EXPECT_TRUE(window.waitFor(fits)) << verdict->height();
    EXPECT_GT(verdict->heightForWidth(verdict->width() / 2), verdict->height()) << "long lines wrap";
    applyTextSize(usualText);
}

TEST(Workbench, AStripOpensItsPanelAtThePart)
{
    FirstStart first({1280, 800});
    first.set("inputDock", true);
    QTest::mouseClick(first.window.findChild<QToolButton*>("studyStrip/training"), Qt::LeftButton);
    settle();
    EXPECT_TRUE(first.open("studyDock"));
    EXPECT_TRUE(first.window.findChild<QToolButton*>("section/training")->isChecked());
    QTest::mouseClick(first.window.findChild<QToolButton*>("inspectorStrip/weightsDock"), Qt::LeftButton);
    settle();
    EXPECT_TRUE(first.open("weightsDock"));
    EXPECT_FALSE(first.open("studyDock"));
}

TEST(FirstStart, ShowsAtMostFifteenControls)
{
    FirstStart first({1280, 800});
    const auto shown = controlsInSight(first.window);
    EXPECT_LE(shown.size(), 15) << shown.join(", ").toStdString();
    EXPECT_THAT(shown, testing::IsSupersetOf({QString("centreTabs/title"), QString("toolChoose"), QString("seed")}));
}

TEST(FirstStart, QuietControlsAppearUnderThePointerAndByTheKeyboard)
{
    WindowDriver window;
    useMouse(window.window());
    auto* area        = window.areaOf("decision_map");
    const auto inView = [&] {
        return std::pair(window.find<QWidget>("export/decision_map")->isVisible(),
                         window.find<QWidget>("toolErase")->isVisible());
    };
    constexpr std::pair all(true, true), none(false, false);
    EXPECT_EQ(inView(), none);
    window.pointAt(*area);
    EXPECT_EQ(inView(), all);
    window.pointAwayFrom(*area);
    EXPECT_EQ(inView(), none);
    QTest::keyClick(window.shownMap(), Qt::Key_Tab);
    EXPECT_EQ(inView(), all);
    const auto* stop = window->findChild<QAction*>("stop");
    EXPECT_FALSE(window->findChild<RunBar*>()->buttonOf(stop)->isEnabled()) << "no run is in progress";
    window.clickMap(0.5, 0.2);
    EXPECT_EQ(inView(), none);
    window.clickButton("toolErase");
    EXPECT_EQ(inView(), std::pair(false, true)) << "the tool in use stays in sight";
}

TEST(FirstStart, StepRestartAndExportAppearWithTheFirstStep)
{
    FirstStart first({1280, 800});
    auto* bar           = first.window.findChild<RunBar*>();
    const auto inTheBar = [&] {
        return std::pair(bar->buttonOf(bar->stepAction())->isVisible(),
                         bar->findChild<QToolButton*>("exportMenu")->isVisible());
    };
    auto* slider = first.window.findChild<QSlider*>("timeMachine");
    EXPECT_EQ(inTheBar(), std::pair(false, false));
    EXPECT_FALSE(slider->isVisible());
    ASSERT_TRUE(waitUntil([&] { return first.window.session().state() == Session::State::ready; }));
    bar->trainAction()->trigger();
    EXPECT_TRUE(waitUntil([&] { return slider->isVisible(); }));
    EXPECT_EQ(inTheBar(), std::pair(true, true));
    first.window.session().stop();
}

TEST(FirstStart, TheStartPageHasAtMostFifteenControls)
{
    write(settings::layout, settings::layout.fallback);
    write(settings::recentStudies, QStringList());
    FirstStart first({1280, 800});
    first.window.greet();
    settle();
    const auto shown = controlsInSight(first.window);
    EXPECT_TRUE(shown.contains("start/example"));
    EXPECT_LE(shown.size(), 15) << shown.join(", ").toStdString();
}

TEST(Workbench, IsResetFromAnyArrangement)
{
    WindowDriver window;
    auto& workbench    = window->workbench();
    auto* reset        = window.find<QAction>("resetLayout");
    auto* lecture      = window.find<QAction>("lectureMode");
    const auto inSight = [&] {
        QList<QRect> places;
        for (const auto* part : workbench.parts())
            places += part->visibleRegion().isEmpty() ? QRect()
                                                      : QRect(part->mapTo(&window.window(), QPoint()), part->size());
        return places;
    };
    reset->trigger();
    ASSERT_TRUE(window.waitForPictures());
    const auto first = inSight();
    const QSize size = window->size();
    QRandomGenerator dice(5);
    for (int round = 0; round < 8; ++round) {
        for (int i = 0; i < 12; ++i) {
            rearrange(window, dice);
            if (i == 8 && dice.bounded(2))
                lecture->trigger();
            if (dice.bounded(3) == 0)
                QCoreApplication::processEvents();
        }
        window->resize(800 + dice.bounded(600), 600 + dice.bounded(400));
        window.setOpen("lessonDock", false);
        reset->trigger();
        EXPECT_FALSE(lecture->isChecked());
        for (const auto* part : workbench.parts())
            EXPECT_EQ(part->window(), &window.window()) << round;
    }
    window->resize(size);
    reset->trigger();
    EXPECT_TRUE(window.waitFor([&] { return inSight() == first; }, 5000));
}

TEST(Workbench, APartInAWindowOfItsOwnReturnsWhenThatIsClosed)
{
    WindowDriver window;
    auto* runs = window->workbench().part("runsDock");
    QTest::mouseClick(window.find<QToolButton>("float/runsDock"), Qt::LeftButton);
    settle();
    EXPECT_NE(runs->window(), &window.window());
    EXPECT_TRUE(runs->content()->isVisible());
    runs->window()->close();
    settle();
    EXPECT_EQ(runs->window(), &window.window());
    EXPECT_TRUE(runs->content()->isVisible());
}

TEST(Workbench, OnePartAloneHidesTheOthersUntilTheKeyIsPressedAgain)
{
    WindowDriver window;
    auto& workbench = window->workbench();
    auto* map       = window->panel("decision_map");
    const auto all  = map->size();
    workbench.toggleAlone(map);
    settle();
    EXPECT_TRUE(map->isVisible());
    EXPECT_GT(map->width(), all.width());
    EXPECT_FALSE(window.find<QWidget>("workspace/explore")->isVisible());
    workbench.toggleAlone(nullptr);
    settle();
    EXPECT_TRUE(window.find<QWidget>("workspace/explore")->isVisible());
    EXPECT_EQ(map->size(), all);
    workbench.toggleAlone(workbench.part("layersDock")->content());
    settle();
    EXPECT_FALSE(map->isVisible());
    EXPECT_TRUE(window->panel("layers")->isVisible());
}

TEST(Workspaces, ThoseThatDoNotApplyCannotBeChosenAndNameTheReason)
{
    WindowDriver window;
    auto* images = window.find<QToolButton>("workspace/images");
    auto* chains = window.find<QToolButton>("workspace/chains");
    EXPECT_FALSE(images->isEnabled());
    EXPECT_THAT(images->toolTip().toStdString(), testing::HasSubstr("no images"));
    EXPECT_FALSE(chains->isEnabled());
    EXPECT_THAT(chains->toolTip().toStdString(), testing::HasSubstr("no Markov chains"));
}

TEST(Workspaces, ChainsShowTheirChartsOnTheStageAndExploreBringsThemBack)
{
    WindowDriver window;
    window->session().setStudy(preset("two_moons_hmc"));
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    auto* chains = window.find<QToolButton>("workspace/chains");
    ASSERT_TRUE(chains->isEnabled());
    QTest::mouseClick(chains, Qt::LeftButton);
    settle();
    EXPECT_EQ(window->workbench().rail().current(), "chains");
    EXPECT_TRUE(window->panel("chain_convergence")->isVisible());
    EXPECT_TRUE(window->workbench().stageRect().contains(
        QRect(window->panel("chain_convergence")->mapTo(&window.window(), QPoint()),
              window->panel("chain_convergence")->size())));
    QTest::mouseClick(window.find<QToolButton>("workspace/explore"), Qt::LeftButton);
    settle();
    EXPECT_EQ(window->workbench().rail().current(), "explore");
    EXPECT_TRUE(window->panel("decision_map")->isVisible());
}

TEST(Workspaces, TheSimplexIsMarkedHoweverItCameToTheFront)
{
    WindowDriver window;
    window.showView("decision_map");
    window->navigator().show(ViewNavigator::simplex);
    EXPECT_EQ(window->workbench().rail().current(), "simplex");
    window->navigator().show({});
    EXPECT_EQ(window->workbench().rail().current(), "explore");
}
