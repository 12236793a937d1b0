// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_queue.h"

#include "low_priority.h"

#include "foundation/parallel.h"

#include <algorithm>
#include <chrono>

using namespace credence;

ViewQueue::ViewQueue(double liveRest, QObject* parent) : QObject(parent), m_liveRest(liveRest), m_thread([this](std::stop_token stop) { work(stop); }) {}

ViewQueue::~ViewQueue()
{
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.clear();
        for (auto& [view, source] : m_making)
            source.request_stop();
    }
    m_thread.request_stop();
    m_thread.join();
}

void ViewQueue::submit(std::vector<Request> requests, Kind kind)
{
    const std::lock_guard lock(m_mutex);
    int order = 0;
    for (auto& request : requests) {
        const long stamp = ++m_stamp;
        if (kind == Kind::still) {
            m_oldestWanted[request.view] = stamp;
            if (const auto making = m_making.find(request.view); making != m_making.end())
                making->second.request_stop();
        }
        const QString view = request.view;
        m_waiting[view]    = {std::move(request), kind, stamp, order++};
    }
    m_wake.notify_one();
}

bool ViewQueue::busy() const
{
    const std::lock_guard lock(m_mutex);
    return !m_waiting.empty() || !m_making.empty();
}

void ViewQueue::work(std::stop_token stop)
{
    lowerThisThread(viewNiceness);
    Threads threads;
    using Clock = std::chrono::steady_clock;
    auto rested = Clock::now();
    while (true) {
        std::vector<Waiting> batch;
        std::vector<std::stop_token> tokens;
        {
            std::unique_lock lock(m_mutex);
            m_making.clear();
            if (!m_wake.wait(lock, stop, [this] { return !m_waiting.empty(); }))
                return;
            const auto still = [this] { return std::any_of(m_waiting.begin(), m_waiting.end(), [](const auto& w) { return w.second.kind == Kind::still; }); };
            if (!still())
                m_wake.wait_until(lock, stop, rested, still);
            if (stop.stop_requested())
                return;
            for (auto& [view, waiting] : m_waiting)
                batch.push_back(std::move(waiting));
            m_waiting.clear();
            std::stable_sort(batch.begin(), batch.end(), [](const Waiting& a, const Waiting& b) { return a.order < b.order; });
            for (const auto& waiting : batch)
                tokens.push_back((m_making[waiting.request.view] = std::stop_source{}).get_token());
        }
        const double begin = threadSeconds();
        std::vector<std::pair<long, Picture>> together;
        threads.run([&] {
            const LowerHelpers lower(viewNiceness);
            for (std::size_t i = 0; i < batch.size() && !stop.stop_requested(); ++i) {
                if (tokens[i].stop_requested())
                    continue;
                Picture picture{batch[i].request.view, {}};
                try {
                    picture.chart = batch[i].request.make(tokens[i]);
                } catch (const std::exception& error) {
                    picture.chart.id      = picture.view.toStdString();
                    picture.chart.message = error.what();
                }
                if (tokens[i].stop_requested())
                    continue;
                together.emplace_back(batch[i].stamp, std::move(picture));
                if (batch[i].kind == Kind::still)
                    deliver(std::exchange(together, {}));
            }
        });
        if (!together.empty() && !stop.stop_requested())
            deliver(std::move(together));
        if (batch.front().kind == Kind::live)
            rested = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(m_liveRest * (threadSeconds() - begin)));
    }
}

void ViewQueue::deliver(std::vector<std::pair<long, Picture>> stamped)
{
    QMetaObject::invokeMethod(this, [this, stamped = std::move(stamped)]() mutable {
        std::vector<Picture> timely;
        {
            const std::lock_guard lock(m_mutex);
            for (auto& [stamp, picture] : stamped)
                if (stamp >= m_oldestWanted[picture.view])
                    timely.push_back(std::move(picture));
        }
        if (!timely.empty())
            Q_EMIT pictures(timely);
    }, Qt::QueuedConnection);
}
