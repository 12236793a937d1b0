// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "unit/not_empty.h"
#include "window_driver.h"

#include "parts/appearance.h"
#include "parts/window_part.h"
#include "parts/workbench.h"
#include "parts/workspace_stack.h"
#include "session/settings.h"
#include "shell/lecture_mode.h"

#include "posterior/variational_family.h"
#include "widgets/chart_layout.h"

#include <QAction>
#include <QCursor>
#include <QEventLoop>
#include <QLabel>
#include <QPointer>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <string>

using namespace credence;

namespace {

struct Lecture : ::testing::Test {
    Lecture() { forget(); }
    ~Lecture() override
    {
        window.find<LectureMode>("lecture")->setOn(false);
        forget();
        applyTheme(Theme::light);
    }
    void forget()
    {
        for (const char* key : {"lecture/docks", "lecture/type", "lecture/ring", "lecture/black_on_white"})
            stateFile().remove(QLatin1String(key));
    }
    QStringList shownParts()
    {
        QStringList names;
        for (const auto* part : window->workbench().parts())
            if (window->workbench().isOpen(*part))
                names += part->objectName();
        names.sort();
        return names;
    }
    void press(const char* action) { window.find<QAction>(QLatin1String(action))->trigger(); }

    WindowDriver window;
};

}   // namespace

TEST_F(Lecture, OneKeyEnlargesTheWindowAndTheSameKeyRestoresIt)
{
    applyTheme(Theme::dark);
    settle();
    const auto parts      = shownParts();
    const QFont font      = QApplication::font();
    const auto remembered = read(settings::theme);
    const int studyWidth  = window->workbench().part("studyDock")->width();
    auto* label           = window.find<QLabel>("progressText");
    const int type        = QFontInfo(label->font()).pixelSize();
    const auto* seed      = window.find<QWidget>("seed");
    const int seedWidth   = seed->width();

    QTest::keyClick(&window.window(), Qt::Key_F9);
    settle();
    EXPECT_EQ(shownParts(), QStringList{"inputDock"});
    EXPECT_NEAR(QFontInfo(label->font()).pixelSize(), 1.5 * type, 1);
    EXPECT_NEAR(seed->width(), 1.5 * seedWidth, 3) << "large digits need a wider field";
    EXPECT_EQ(screenLines(), 1.5);
    EXPECT_EQ(window->palette().color(QPalette::Base), QColor(Qt::white)) << "also with a dark theme";
    EXPECT_EQ(window->palette().color(QPalette::Text), QColor(Qt::black));
    EXPECT_EQ(read(settings::theme), remembered) << "it is not saved as the theme";
    window->resize(1024, 700);
    settle();
    EXPECT_LE(window->width(), 1024);
    EXPECT_LE(window->height(), 700);

    press("lectureType/200");   // at once
    settle();
    EXPECT_NEAR(QFontInfo(label->font()).pixelSize(), 2 * type, 1);
    window.setOpen("trainingDock", true);   // one of the next lecture, too
    press("lectureBlackOnWhite");
    settle();
    EXPECT_LT(window->palette().color(QPalette::Base).lightness(), 100);

    QTest::keyClick(&window.window(), Qt::Key_F9);
    settle();
    EXPECT_EQ(shownParts(), parts);
    EXPECT_EQ(window->size(), QSize(1440, 900));
    EXPECT_NEAR(window->workbench().part("studyDock")->width(), studyWidth, 20);
    EXPECT_EQ(QApplication::font().pointSizeF(), font.pointSizeF());
    EXPECT_EQ(QFontInfo(label->font()).pixelSize(), type);
    EXPECT_EQ(screenLines(), 1);
    EXPECT_LT(window->palette().color(QPalette::Base).lightness(), 100) << "the dark theme";

    press("lectureMode");
    EXPECT_EQ(shownParts(), (QStringList{"inputDock", "trainingDock"}));
}

TEST_F(Lecture, APageStaysInFront)
{
    const auto parts = shownParts();
    press("bridgeSamplingAction");
    const auto& pages = window->workbench().pages();
    auto* page        = pages.page();
    ASSERT_NE(page, nullptr);
    settle();
    for (const bool on : {true, false}) {
        QTest::keyClick(&window.window(), Qt::Key_F9);
        settle();
        EXPECT_EQ(screenLines() > 1, on);
        EXPECT_EQ(pages.page(), page) << on;
        EXPECT_TRUE(page->isVisible()) << on;
    }
    window.clickButton("leavePage");
    EXPECT_EQ(shownParts(), parts);
}

TEST_F(Lecture, TextThatIsLargeAlreadyGrowsOnlyAsFarAsTheWindowHasRoom)
{
    applyTextSize(200);
    window->resize(1024, 700);
    settle();
    const double type  = QFontInfo(QApplication::font()).pixelSize();
    const double share = window->width() / 640.0 / (type / 13);
    press("lectureMode");
    settle();
    EXPECT_NEAR(QFontInfo(QApplication::font()).pixelSize(), std::clamp(share, 1.0, 1.5) * type, 1);
    press("lectureMode");
    settle();
    EXPECT_EQ(QFontInfo(QApplication::font()).pixelSize(), type);
    applyTextSize(usualText);
}

TEST_F(Lecture, OnLeavingEveryControlIsAsLargeAsBefore)
{
    const auto sizes = [&] {
        std::vector<std::pair<QPointer<QWidget>, QSize>> all;
        for (auto* widget : credence::not_empty(window->findChildren<QWidget*>()))
            if (widget->isVisible() && !widget->size().isEmpty())
                all.emplace_back(widget, widget->size());
        return all;
    };
    ASSERT_TRUE(window.waitForPictures());   // a chart is as high as what it shows
    const auto before = sizes();
    QEventLoop loop;   // as in the program, where Qt itself notifies widgets of a font change
    for (const int milliseconds : {0, 300})
        QTimer::singleShot(milliseconds, &loop, [&] { press("lectureMode"); });
    QTimer::singleShot(600, &loop, &QEventLoop::quit);
    loop.exec();
    EXPECT_TRUE(window.waitForPictures());
    const auto nameOf = [](const QWidget& widget) {   // its own, or that of what contains it
        const auto* named = &widget;
        while (named->objectName().isEmpty() && named->parentWidget())
            named = named->parentWidget();
        return (named == &widget ? "" : "in ") + named->objectName().toStdString();
    };
    const auto changed = [&] {
        std::string all;
        for (const auto& [widget, size] : credence::not_empty(before)) {
            if (!widget)
                continue;   // one of a theme
            const QSize now = widget->size();
            if (std::max(std::abs(now.width() - size.width()), std::abs(now.height() - size.height())) > 4)
                all += std::string(widget->metaObject()->className()) + ' ' + nameOf(*widget) + ": "
                       + std::to_string(size.width()) + " x " + std::to_string(size.height()) + ", then "
                       + std::to_string(now.width()) + " x " + std::to_string(now.height()) + '\n';
        }
        return all;
    };
    (void)QTest::qWaitFor([&] { return changed().empty(); }, 20000);   // what a chart shows decides its size
    EXPECT_EQ(changed(), "");
}

TEST_F(Lecture, TheSpaceBarAsksForTheNextStepOfALessonAndAFieldKeepsItForItself)
{
    QSignalSpy wanted(window.find<LectureMode>("lecture"), &LectureMode::lessonStepWanted);
    auto* picture = window->panel("decision_map")->chartView();
    picture->setFocus();
    QTest::keyClick(picture, Qt::Key_Space);
    EXPECT_EQ(wanted.count(), 0) << "outside of a lecture";
    press("lectureMode");
    QTest::keyClick(picture, Qt::Key_Space);
    QTest::keyClick(&window.window(), Qt::Key_PageDown);
    EXPECT_EQ(wanted.count(), 2);
    QTextBrowser text(&window.window());   // as that of a lesson: it scrolls to its end first
    text.resize(400, 200);
    text.setPlainText(QStringLiteral("Look at the map."));
    text.show();
    QTest::keyClick(&text, Qt::Key_Space);
    EXPECT_EQ(wanted.count(), 3);
    text.setPlainText(QStringLiteral("Look at the map.\n").repeated(200));
    QTest::keyClick(&text, Qt::Key_Space);
    EXPECT_EQ(wanted.count(), 3);
    auto* speed = window.find<QToolButton>("speed");
    speed->setCheckable(true);   // a button that a test can press without a menu
    speed->setMenu(nullptr);
    QTest::keyClick(speed, Qt::Key_Space);
    EXPECT_TRUE(speed->isChecked());
    QTest::keyClick(picture, Qt::Key_Left);   // now there is a cross, and the key chooses its place
    QTest::keyClick(picture, Qt::Key_Space);
    EXPECT_EQ(wanted.count(), 3);
}

TEST_F(Lecture, ARingFollowsThePointerAndIgnoresClicks)
{
    press("lectureMode");
    const QPoint at(300, 300);
    QCursor::setPos(window->mapToGlobal(at));
    ASSERT_TRUE(window.waitFor([&] {
        auto* ring = window->findChild<QWidget*>("pointerRing");
        return ring && ring->isVisible() && (ring->geometry().center() - at).manhattanLength() <= 2;
    }));
    EXPECT_TRUE(window->findChild<QWidget*>("pointerRing")->testAttribute(Qt::WA_TransparentForMouseEvents));
    press("lectureRing");
    EXPECT_EQ(window->findChild<QWidget*>("pointerRing"), nullptr);
}

TEST_F(Lecture, ClosingInALectureRemembersTheOtherLayout)
{
    press("lectureMode");
    EXPECT_FALSE(window.isOpen("studyDock"));
    window->close();
    EXPECT_FALSE(window.find<LectureMode>("lecture")->on());
    AppContext place;
    MainWindow again(place);
    again.restoreLayout();
    again.show();
    EXPECT_TRUE(again.workbench().isOpen(*again.workbench().part("studyDock")));
}

TEST_F(Lecture, SlowMotionShowsStepAfterStepAndEndsWithTheSameNetwork)
{
    ASSERT_TRUE(window.train(40));
    const auto learned = [&] {
        const auto* net = dynamic_cast<const VariationalFamily<float>*>(
            window->session().run().newest->posterior.get());
        return net ? std::vector<float>(net->parameters().begin(), net->parameters().end()) : std::vector<float>();
    };
    const auto fast = learned();
    ASSERT_FALSE(fast.empty());
    auto* speed = window.find<QToolButton>("speed");
    EXPECT_TRUE(speed->text().startsWith("Full speed"));
    window.find<QAction>("speed/1")->trigger();
    EXPECT_TRUE(speed->text().startsWith("1 step per second"));
    window.clickAction("restart");
    ASSERT_TRUE(window.waitFor([&] {
        const auto& newest = window->session().run().newest;
        return window->session().active() && newest && newest->point.step >= 1;
    }));
    EXPECT_LT(window->session().run().newest->point.step, 40) << "the rest would take half a minute";
    window.find<QAction>("faster")->trigger();
    EXPECT_TRUE(speed->text().startsWith("3 steps per second"));
    EXPECT_TRUE(window->session().currentRun().inSlowMotion());
    window.find<QAction>("speed/0")->trigger();
    ASSERT_TRUE(window.waitForState(Session::State::ended));
    EXPECT_EQ(learned(), fast);
    window.find<QAction>("faster")->trigger();   // there is no faster one
    EXPECT_FALSE(window->session().currentRun().inSlowMotion());
}
