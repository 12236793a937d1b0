// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include <QAction>
#include <QDockWidget>
#include <QRandomGenerator>

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
