// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include <memory>
#include <type_traits>
#include <utility>

/// Runs a slow task (reading a table, a saved run, the data of a Study) once on a separate thread,
/// so that the window stays responsive.
///
/// @param owner  its destruction requests a stop and waits; `done` is then not called
/// @param work   runs on another thread; shares nothing with the window; may accept a
///        std::stop_token
/// @param done   GUI thread: receives the result, or nothing and the error sentence
template <class Work, class Done>
void inBackground(QObject* owner, Work work, Done done)
{
    constexpr bool stoppable = std::is_invocable_v<Work&, std::stop_token>;
    const auto call          = [](Work& what, [[maybe_unused]] std::stop_token stop) {
        if constexpr (stoppable)
            return what(std::move(stop));
        else
            return what();
    };
    using Result     = decltype(call(work, std::stop_token{}));
    auto* worker     = new Worker({}, owner);
    const auto taker = std::make_shared<Done>(std::move(done));
    QObject::connect(worker, &Worker::failed, owner, [worker, taker](const QString&, const QString& sentence) {
        worker->deleteLater();
        (*taker)(std::optional<Result>{}, sentence);
    });
    const auto task = std::make_shared<Work>(std::move(work));
    worker->submit([worker, task, taker, call](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        auto result = std::make_shared<std::optional<Result>>(call(*task, std::move(stop)));
        return [worker, taker, result] {
            worker->deleteLater();
            (*taker)(std::move(*result), QString());
        };
    });
}
