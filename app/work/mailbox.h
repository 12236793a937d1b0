// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

/// Runs calls from other threads on the thread that created it, in order; calls pending at its
/// destruction are dropped. Like a queued QMetaObject::invokeMethod, but visible to
/// ThreadSanitizer, which cannot see into Qt's queue.
class Mailbox : public QObject {
public:
    void post(std::function<void()> call);   ///< thread-safe

protected:
    bool event(QEvent* event) override;
};
