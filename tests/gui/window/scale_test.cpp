// SPDX-License-Identifier: GPL-3.0-or-later
// Behaviour on high-resolution screens. CTest runs these tests with QT_SCALE_FACTOR 1, 1.5 and 2.
#include "gui/real_input.h"
#include "unit/not_empty.h"
#include "window_driver.h"

#include "parts/export_dialog.h"
#include "parts/help_mark.h"

#include <QDoubleSpinBox>
#include <QFrame>
#include <QScreen>

using namespace credence;

namespace {

double wantedScale()
{
    bool given         = false;
    const double scale = qEnvironmentVariable("QT_SCALE_FACTOR").toDouble(&given);
    return given ? scale : 1;
}

}   // namespace

TEST(Scale, APictureHasAllPixelsOfTheScreen)
{
    WindowDriver window;
    ASSERT_EQ(window->devicePixelRatio(), wantedScale());
    const auto* map       = window.shownMap();
    const QPixmap picture = const_cast<ChartView*>(map)->grab();
    EXPECT_EQ(picture.devicePixelRatio(), wantedScale());
    EXPECT_NEAR(picture.width(), map->width() * wantedScale(), 1);
    // Letters are drawn with all pixels: neighbours differ also inside a block of the size of a logical pixel.
    const QImage pixels = picture.toImage();
    bool fine           = wantedScale() < 2;
    for (int y = 0; y + 1 < pixels.height() && !fine; y += 2)
        for (int x = 0; x + 1 < pixels.width() && !fine; x += 2)
            fine = pixels.pixel(x, y) != pixels.pixel(x + 1, y);
    EXPECT_TRUE(fine);
}

TEST(Scale, AClickInTheMapChoosesThePointUnderIt)
{
    WindowDriver window;
    const auto& options = window->context().requests;
    window.clickMap(0.5, 0.25);
    ASSERT_TRUE(window.waitForPictures());
    const auto chosen = options.chosen().input;
    ASSERT_EQ(chosen.size(), 2U);
    const auto* map = window.shownMap();
    const auto at   = map->positionOf(0, chosen[0], chosen[1]);
    const auto want = map->positionOf(0, 0.5, 0.25);
    EXPECT_NEAR(at.x(), want.x(), 1);
    EXPECT_NEAR(at.y(), want.y(), 1);
}

TEST(Scale, TheWheelScrollsOverAFieldAndChangesItWithFocus)
{
    WindowDriver window;
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window.window()));
    auto* seed = window.find<QDoubleSpinBox>("seed");
    seed->clearFocus();
    turnWheel(*seed, 1);
    EXPECT_EQ(window.study().seed, 1);
    seed->setFocus();
    turnWheel(*seed, 1);
    EXPECT_EQ(window.study().seed, 2);
}

TEST(Scale, HelpStaysOnTheScreen)
{
    WindowDriver window;
    for (auto* mark : credence::not_empty(window->findChildren<HelpMark*>())) {
        if (!mark->isVisible())
            continue;
        mark->click();
        auto* popover = mark->findChild<QFrame*>("helpPopover");
        ASSERT_NE(popover, nullptr);
        const QRect room = popover->screen()->availableGeometry();
        EXPECT_TRUE(room.contains(popover->geometry())) << mark->accessibleName().toStdString();
        EXPECT_LE(popover->height(), 0.6 * room.height() + 1) << mark->accessibleName().toStdString();
        popover->close();
    }
}

TEST(Scale, AnItemOfAComboBoxIsChosenByKeyboard)
{
    WindowDriver window;
    auto* posterior = window.find<QComboBox>("posterior.family/editor");
    const int point = posterior->findData("point_estimate");
    ASSERT_GE(point, 0);
    ASSERT_NE(posterior->currentIndex(), point);
    chooseByKeys(*posterior, point);
    EXPECT_EQ(posterior->currentIndex(), point);
    EXPECT_EQ(window.study().posterior.family, "point_estimate");
}
