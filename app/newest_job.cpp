// SPDX-License-Identifier: GPL-3.0-or-later
#include "newest_job.h"

#include "low_priority.h"

#include "foundation/parallel.h"

using namespace credence;

NewestJob::NewestJob(Priority priority, QObject* parent) : QObject(parent), m_priority(priority), m_thread([this](std::stop_token stop) { run(stop); }) {}

NewestJob::~NewestJob()
{
    {
        const std::lock_guard lock(m_mutex);
        m_waiting = nullptr;
        m_current.request_stop();
    }
    m_thread.request_stop();
    m_thread.join();
}

void NewestJob::submit(Work work)
{
    const std::lock_guard lock(m_mutex);
    m_waiting      = std::move(work);
    m_waitingStamp = ++m_stamp;
    m_wake.notify_one();
}

void NewestJob::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_waiting = nullptr;
    m_wanted  = m_stamp + 1;
    m_current.request_stop();
}

bool NewestJob::busy() const
{
    const std::lock_guard lock(m_mutex);
    return m_waiting != nullptr || m_open > 0;
}

void NewestJob::run(std::stop_token stop)
{
    const int niceness = m_priority == Priority::behind_training ? viewNiceness : 0;
    lowerThisThread(niceness);
    Threads threads;
    while (true) {
        Work work;
        long stamp = 0;
        std::stop_token token;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_waiting != nullptr; }))
                return;
            work  = std::exchange(m_waiting, nullptr);
            stamp = m_waitingStamp;
            ++m_open;
            m_current = std::stop_source{};
            token     = m_current.get_token();
        }
        Show show;
        threads.run([&] {
            const LowerHelpers lower(niceness);
            show = work(token);
        });
        work = nullptr;   // what it held is let go here, not on the GUI thread
        if (stop.stop_requested())
            return;
        QMetaObject::invokeMethod(this, [this, stamp, show = std::move(show)] {
            bool timely = false;
            {
                const std::lock_guard lock(m_mutex);
                --m_open;
                timely = stamp >= m_wanted;
            }
            if (timely && show)
                show();
        }, Qt::QueuedConnection);
    }
}
