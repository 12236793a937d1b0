// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QObject>
#include <QPointer>
#include <QThreadPool>

#include <exception>
#include <optional>
#include <utility>

/// Does what may take long (reading a table, a kept run, the data of a Study) on another thread, so that the window goes on answering.
///
/// @param work  any thread; shares nothing with the window
/// @param done  GUI thread: takes the result, or nothing and the sentence that says why; not called if `owner` is gone by then
template <class Work, class Done>
void inBackground(QObject* owner, Work work, Done done)
{
    QThreadPool::globalInstance()->start([guard = QPointer<QObject>(owner), work = std::move(work), done = std::move(done)]() mutable {
        std::optional<decltype(work())> result;
        QString mistake;
        try {
            result.emplace(work());
        } catch (const std::exception& error) {
            mistake = QString::fromUtf8(error.what());
        }
        if (auto* application = QCoreApplication::instance())
            QMetaObject::invokeMethod(application, [guard, done = std::move(done), result = std::move(result), mistake]() mutable {
                if (guard)
                    done(std::move(result), mistake);
            }, Qt::QueuedConnection);
    });
}
