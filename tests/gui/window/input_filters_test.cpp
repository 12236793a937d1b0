// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/real_input.h"
#include "parts/tool_page.h"
#include "parts/workspace_stack.h"
#include "shell/main_window.h"
#include "study/study_panel.h"
#include "sweep/sweep_page.h"
#include "window_driver.h"

#include <QAction>
#include <QApplication>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QTimer>
#include <QUndoStack>

#include <clocale>

TEST(Numbers, HaveADecimalPointInEveryFieldInAnyLocale)
{
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    std::setlocale(LC_ALL, "");   // as Qt does it: de_DE under the tests labelled german
    int boxes = 0;
    QTimer::singleShot(0, qApp, [&] {
        EXPECT_STREQ(std::localeconv()->decimal_point, ".");
        for (const auto* window : QApplication::topLevelWidgets())
            for (const auto* box : window->findChildren<QDoubleSpinBox*>()) {
                EXPECT_EQ(box->locale().decimalPoint(), QStringLiteral(".")) << box->accessibleName().toStdString();
                ++boxes;
            }
        QDoubleSpinBox box;
        box.selectAll();
        QTest::keyClicks(&box, QStringLiteral("0,25"));   // the number pad of a German keyboard
        EXPECT_EQ(box.value(), 0.25);
        QApplication::quit();
    });
    runWindow(*qobject_cast<QApplication*>(qApp), {}, QStringLiteral("light"));
    EXPECT_GT(boxes, 3);
    QLocale::setDefault(before);
}

TEST(Numbers, ADecimalCommaInAFieldIsRejectedWithTheCorrectNotation)
{
    WindowDriver window;
    const double noise = window.study().data.toy.noise;
    window.type("data.noise/editor", "0,25");
    EXPECT_EQ(window.study().data.toy.noise, noise);
    EXPECT_TRUE(
        window.find<QLabel>("data.noise/mistake")->text().contains(QStringLiteral("with a decimal point, as 0.25.")));
}

using namespace credence;

namespace {

/// Turns the wheel over every input of `part`, none of which has the focus. @return how many there
/// are
std::size_t expectUnchangedByWheel(QWidget& part)
{
    const auto inputs = wheelInputs(part);
    for (auto* input : inputs)
        for (const int notches : {1, -1, -1}) {
            if (auto* focused = QApplication::focusWidget())
                focused->clearFocus();
            const QString before = contentOf(*input);
            turnWheel(*input, notches);
            EXPECT_EQ(contentOf(*input), before) << input->objectName().toStdString() << ", " << notches;
            EXPECT_FALSE(input->hasFocus()) << input->objectName().toStdString();
        }
    return inputs.size();
}

}   // namespace

TEST(Wheel, WithoutFocusItChangesNoInputOfTheWindow)
{
    WindowDriver window;
    const auto study  = window.study();
    const auto inputs = expectUnchangedByWheel(window.window());
    EXPECT_GE(inputs, 40U);
    EXPECT_TRUE(window.study() == study);
    EXPECT_EQ(window->context().document.undo().count(), 0);
}

TEST(Wheel, WithoutFocusItChangesNoInputOfAToolPage)
{
    WindowDriver window;
    std::size_t inputs = 0;
    for (const char* action :
         {"bridgeSamplingAction", "doubleWellAction", "banditAction", "activeLearningAction", "sweepAction"}) {
        window.find<QAction>(action)->trigger();
        auto* page = qobject_cast<ToolPage*>(window->findChild<WorkspaceStack*>()->page());
        ASSERT_NE(page, nullptr) << action;
        inputs += expectUnchangedByWheel(*page);
        page->cancel();
    }
    EXPECT_GE(inputs, 20U);
}

TEST(Wheel, WithFocusItChangesTheField)
{
    WindowDriver window;
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window.window()));
    auto* seed = window.find<QDoubleSpinBox>("seed");
    seed->setFocus();
    turnWheel(*seed, 1);
    EXPECT_EQ(window.study().seed, 2);
    window->findChild<StudyPanel*>()->unfold("posterior.family");
    auto* posterior = window.find<QComboBox>("posterior.family/editor");
    posterior->setFocus();
    const int before = posterior->currentIndex();
    turnWheel(*posterior, -1);
    EXPECT_EQ(posterior->currentIndex(), before + 1);
}

TEST(Wheel, OverAFieldItScrollsThePanel)
{
    WindowDriver window;
    window.clickButton("allSettings");
    auto* field = window.find<QComboBox>("posterior.family/editor");
    auto* area  = window->findChild<StudyPanel*>()->findChild<QScrollArea*>();
    ASSERT_NE(area, nullptr);
    auto* bar = area->verticalScrollBar();
    ASSERT_GT(bar->maximum(), 0);
    bar->setValue(0);
    turnWheel(*field, -1);
    EXPECT_GT(bar->value(), 0);
}

TEST(Wheel, ASweepSettingIsChosenByKeyboardAndNotChangedByTheWheel)
{
    WindowDriver window;
    window.find<QAction>("sweepAction")->trigger();
    auto* page = window->findChild<SweepPage*>();
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(window.waitFor([&] { return !page->busy(); }));
    auto* values = page->findChild<QLineEdit*>("sweepValues");
    values->setFocus();
    values->selectAll();
    QTest::keyClicks(values, "0.003, 0.007, 0.09");
    auto* setting = page->findChild<QComboBox*>("sweepSetting");
    turnWheel(*setting, -1);
    EXPECT_EQ(values->text(), "0.003, 0.007, 0.09");
}
