// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QEvent>

/// Delivers every event that is waiting, and those that these post: layouts, palettes, queued
/// calls. Ends without looking at a clock, so that a loaded machine cannot change the result. Does
/// not wait for other threads: use `waitFor` with a condition for these.
inline void settle()
{
    for (int round = 0; round < 20; ++round) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}
