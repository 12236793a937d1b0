// SPDX-License-Identifier: GPL-3.0-or-later
#include "background_job.h"

#include "low_priority.h"

#include "foundation/parallel.h"

#include <chrono>

using namespace credence;

BackgroundJob::BackgroundJob(QObject* parent) : QObject(parent), m_thread([this](std::stop_token stop) { work(stop); }) {}

BackgroundJob::~BackgroundJob()
{
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.reset();
        m_making.request_stop();
    }
    m_thread.request_stop();
    m_thread.join();
}

void BackgroundJob::start(Work work)
{
    {
        const std::lock_guard lock(m_mutex);
        m_making.request_stop();
        m_waiting.emplace(++m_stamp, std::move(work));
        m_wake.notify_one();
    }
    Q_EMIT busyChanged(true);
}

void BackgroundJob::cancel()
{
    {
        const std::lock_guard lock(m_mutex);
        m_making.request_stop();
        m_waiting.reset();
        m_answered = ++m_stamp;
    }
    Q_EMIT busyChanged(false);
}

bool BackgroundJob::busy() const
{
    const std::lock_guard lock(m_mutex);
    return m_answered != m_stamp;
}

void BackgroundJob::work(std::stop_token stop)
{
    lowerThisThread(viewNiceness);
    Threads threads;
    using Clock = std::chrono::steady_clock;
    while (true) {
        std::pair<long, Work> task;
        std::stop_token token;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_waiting.has_value(); }))
                return;
            task = std::move(*m_waiting);
            m_waiting.reset();
            m_making = std::stop_source{};
            token    = m_making.get_token();
        }
        Finish  finish;
        QString mistake;
        auto    told = Clock::now();
        try {
            threads.run([&] {
                const LowerHelpers lower(viewNiceness);
                finish = task.second(token, [&](double share) {
                    if (const auto now = Clock::now(); now - told > std::chrono::milliseconds(50)) {
                        told = now;
                        QMetaObject::invokeMethod(this, [this, share, stamp = task.first] {
                            if (stamp == m_stamp && busy())
                                Q_EMIT progressed(share);
                        }, Qt::QueuedConnection);
                    }
                });
            });
        } catch (const std::exception& error) {
            mistake = QString::fromUtf8(error.what());
        }
        if (stop.stop_requested())
            return;
        deliver(task.first, std::move(finish), mistake);
    }
}

void BackgroundJob::deliver(long stamp, Finish finish, const QString& mistake)
{
    QMetaObject::invokeMethod(this, [this, stamp, finish = std::move(finish), mistake] {
        {
            const std::lock_guard lock(m_mutex);
            if (stamp != m_stamp)
                return;   // an answer to an old wish
            m_answered = stamp;
        }
        if (!mistake.isEmpty())
            Q_EMIT failed(mistake);
        else if (finish)
            finish();
        if (!busy())
            Q_EMIT busyChanged(false);
    }, Qt::QueuedConnection);
}
