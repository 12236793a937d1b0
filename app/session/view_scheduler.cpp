// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/view_scheduler.h"

#include "work/text.h"

#include <algorithm>
#include <cmath>
#include <mutex>

using namespace credence;

namespace {

using Clock = std::chrono::steady_clock;

constexpr long noRun        = -2;
constexpr int patience      = 200;   ///< milliseconds before a chart of the fast queues is reported as waiting
constexpr auto reportPeriod = std::chrono::seconds(1);

constexpr bool takesSeconds(ViewScheduler::Queue queue)
{
    return queue == ViewScheduler::Queue::all_rows || queue == ViewScheduler::Queue::slow;
}

/// Returns the chart, or a message that explains why there is none. Empty: stopped.
std::optional<Chart> made(const ViewScheduler::Request& request, const std::stop_token& stop, WorkProgress& progress)
{
    std::string sentence;
    const ProgressScope scope([&progress](double share) { progress.report(share); });
    progress.report(0);
    try {
        return request.make(stop);
    } catch (const std::bad_alloc&) {
        sentence = "There is not enough memory for this.";
    } catch (const std::exception& error) {
        sentence = error.what();
    } catch (...) {
        sentence = "An unknown error occurred.";
    }
    return Chart{.id = request.place.toStdString(), .title = request.title.toStdString(), .message = sentence};
}

}   // namespace

struct ViewScheduler::QueueState {
    QueueState(Queue which)
        : queue(which), worker({.newer = Worker::Newer::waits_for_old, .rest = takesSeconds(which) ? 9.0 : 0.0})
    {}

    const Queue queue;
    std::mutex mutex;             // guards the members below, shared by this thread and the queue's
    std::vector<Order> waiting;   // in order of execution
    std::vector<Order> making;
    Worker worker;   // last: its thread ends first

    /// Stops all matching orders.
    template <class Match>
    void drop(Match match)
    {
        const std::lock_guard lock(mutex);
        std::erase_if(waiting, match);
        for (auto& order : making)
            if (match(order))
                order.stop.request_stop();
    }
};

ViewScheduler::Queue ViewScheduler::queueOf(const View& view, bool pixels)
{
    switch (view.cost) {
    case Cost::quick: return Queue::quick;
    case Cost::draws: return Queue::draws;
    case Cost::all_rows: return pixels ? Queue::all_rows : Queue::draws;
    case Cost::slow: return Queue::slow;
    }
    return Queue::draws;
}

ViewScheduler::ViewScheduler(QObject* parent) : QObject(parent)
{
    for (std::size_t i = 0; i < queues; ++i)
        m_queues[i] = std::make_unique<QueueState>(static_cast<Queue>(i));
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &ViewScheduler::reportWaiting);
}

/// Request all stops before waiting for the first.
ViewScheduler::~ViewScheduler()
{
    for (auto& queue : m_queues)
        queue->drop([](const Order&) { return true; });
}

void ViewScheduler::endOtherRuns(long run)
{
    if (run == ofNoRun || std::exchange(m_run, run) == run)
        return;
    for (auto& queue : m_queues)
        queue->drop([run](const Order& order) { return order.request.run != run && order.request.run != ofNoRun; });
    std::erase_if(m_open, [run](const auto& open) { return open.second.run != run && open.second.run != ofNoRun; });
}

void ViewScheduler::submit(std::vector<Request> requests, Kind kind)
{
    if (requests.empty())
        return;
    endOtherRuns(requests.front().run);
    std::array<bool, queues> asked{};
    for (auto& request : requests) {
        const QString place = request.place;
        const Queue where   = request.queue;
        const bool other    = !m_shownRun.contains(place) || m_shownRun[place] != request.run;
        const long stamp    = ++m_stamp;
        for (auto& queue : m_queues) {
            // of the same run, since requests of others were ended above
            const bool finish = kind == Kind::live && queue->queue == where;
            const std::lock_guard lock(queue->mutex);
            std::erase_if(queue->waiting, [&](const Order& order) { return order.request.place == place; });
            for (auto& order : queue->making)
                if (order.request.place == place && !finish)
                    order.stop.request_stop();
        }
        if (kind == Kind::still || !m_oldestWanted.contains(place))
            m_oldestWanted[place] = stamp;
        if (other) {
            auto& open = m_open[place];
            if (open.stamp == 0)
                open.since = Clock::now();
            open.title    = request.title;
            open.run      = request.run;
            open.stamp    = stamp;
            open.reported = open.reported || takesSeconds(where);
            if (takesSeconds(where))
                Q_EMIT waiting(place, tr("Computing: %1 …").arg(request.title));
        }
        Order order{std::move(request), kind, stamp};
        if (const auto open = m_open.find(place); open != m_open.end())
            open->second.progress = order.progress;
        auto& queue = *m_queues[static_cast<std::size_t>(where)];
        const std::lock_guard lock(queue.mutex);
        queue.waiting.push_back(std::move(order));
        asked[static_cast<std::size_t>(where)] = true;
    }
    for (std::size_t i = 0; i < queues; ++i)
        if (asked[i])
            begin(*m_queues[i]);
    if (!m_open.empty() && !m_soon.isActive())
        m_soon.start(patience);
}

/// Starts the next task of a queue, with all waiting requests. If only live requests are waiting,
/// it first leaves time for training.
void ViewScheduler::begin(QueueState& queue)
{
    bool still = false;
    {
        const std::lock_guard lock(queue.mutex);
        still = std::any_of(queue.waiting.begin(), queue.waiting.end(),
                            [](const Order& order) { return order.kind == Kind::still; });
    }
    queue.worker.submit([this, &queue](std::stop_token, Worker::Progress& progress) { return work(queue, progress); },
                        Worker::Newer::waits_for_old, still ? Worker::Pace::at_once : Worker::Pace::rested);
}

Worker::Show ViewScheduler::work(QueueState& queue, Worker::Progress& progress)
{
    std::vector<Order> batch;
    {
        const std::lock_guard lock(queue.mutex);
        queue.making = std::move(queue.waiting);
        queue.waiting.clear();
        batch = queue.making;   // stop sources are shared
    }
    std::vector<std::pair<long, Picture>> together;
    for (auto& order : batch) {
        const auto stop = order.stop.get_token();
        if (stop.stop_requested())
            continue;
        auto chart = made(order.request, stop, *order.progress);
        if (!chart || stop.stop_requested())
            continue;
        together.emplace_back(order.stamp, Picture{order.request.place, order.request.run, order.request.study,
                                                   std::make_shared<const Chart>(std::move(*chart))});
        if (order.kind == Kind::still)
            progress.show([this, ready = std::exchange(together, {})] { deliver(ready); });
    }
    {
        const std::lock_guard lock(queue.mutex);
        queue.making.clear();
    }
    if (together.empty())
        return {};
    return [this, ready = std::move(together)] { deliver(ready); };
}

void ViewScheduler::deliver(const std::vector<std::pair<long, Picture>>& stamped)
{
    std::vector<Picture> timely;
    for (const auto& [stamp, picture] : stamped) {
        if (stamp < m_oldestWanted[picture.place] || (picture.run != m_run && picture.run != ofNoRun))
            continue;
        m_shownRun[picture.place] = picture.run;
        m_open.erase(picture.place);
        timely.push_back(picture);
    }
    if (!timely.empty())
        Q_EMIT pictures(timely);
}

void ViewScheduler::reportWaiting()
{
    const auto now = Clock::now();
    std::vector<std::pair<QString, QString>> lines;   // receivers may request charts
    for (auto& [place, open] : m_open) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - open.since).count();
        QString words      = tr("Computing: %1 …").arg(open.title);
        if (seconds >= 2)
            words += tr(" %1 s").arg(seconds);
        if (const auto far = open.progress->now()) {
            words += tr(" · %1 %").arg(std::lround(100 * far->share));
            if (far->seconds_left)
                words += tr(" · %1 left").arg(durationText(*far->seconds_left));
        }
        lines.emplace_back(place, words);
        open.reported = true;
    }
    for (const auto& [place, words] : lines)
        if (m_open.contains(place))
            Q_EMIT waiting(place, words);
    if (!m_open.empty())
        m_soon.start(reportPeriod);
}

void ViewScheduler::forget()
{
    for (auto& queue : m_queues)
        queue->drop([](const Order& order) { return order.request.run != ofNoRun; });
    std::erase_if(m_shownRun, [](const auto& shown) { return shown.second != ofNoRun; });
    m_open.clear();
    m_run = noRun;   // discards charts in progress
}

bool ViewScheduler::busy() const
{
    return std::any_of(m_queues.begin(), m_queues.end(), [](const auto& queue) { return queue->worker.busy(); });
}
