// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

/// Calls of other threads, run on the thread on which this was made, in the order in which they were posted; what waits when it ends is never run. As a queued
/// QMetaObject::invokeMethod, but ThreadSanitizer, which does not see into Qt's queue, is told what goes from thread to thread.
class Mailbox : public QObject {
public:
    void post(std::function<void()> call);   ///< from any thread

protected:
    bool event(QEvent* event) override;
};
