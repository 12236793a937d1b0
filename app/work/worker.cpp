// SPDX-License-Identifier: GPL-3.0-or-later
#include "work/worker.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/progress.h"
#include "foundation/thread_sanitizer.h"
#include "work/text.h"

#include <QCoreApplication>
#include <QEvent>
#include <QPointer>
#include <sys/resource.h>
#include <tbb/task_scheduler_observer.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <new>

void lowerThisThread(int niceness)
{
    const auto thread = static_cast<id_t>(gettid());
    if (getpriority(PRIO_PROCESS, thread) < niceness)
        setpriority(PRIO_PROCESS, thread, niceness);
}

double threadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct LowerHelpers::Observer : tbb::task_scheduler_observer {
    explicit Observer(int niceness)
    {
        m_niceness.store(niceness);
        observe(true);
    }
    ~Observer() override { observe(false); }
    void on_scheduler_entry(bool) override { lowerThisThread(m_niceness.load()); }   // on the threads of the pool

    std::atomic<int> m_niceness{0};
};

LowerHelpers::LowerHelpers(int niceness) : m_observer(std::make_unique<Observer>(niceness)) {}
LowerHelpers::~LowerHelpers() = default;

using namespace credence;

namespace {

const auto letterType = static_cast<QEvent::Type>(QEvent::registerEventType());

struct Letter : QEvent {
    explicit Letter(std::function<void()> wanted) : QEvent(letterType), call(std::move(wanted)) {}

    const std::function<void()> call;
};

}   // namespace

void Mailbox::post(std::function<void()> call)
{
    auto* letter = new Letter(std::move(call));
    hand_over(letter);
    QCoreApplication::postEvent(this, letter);   // which then owns it
}

bool Mailbox::event(QEvent* event)
{
    take_over(event);
    if (event->type() != letterType)
        return QObject::event(event);
    static_cast<Letter*>(event)->call();   // can destroy this Mailbox
    return true;
}

Worker::Worker(Rules rules, QObject* parent)
    : QObject(parent), m_rules(rules), m_thread([this](const std::stop_token& end) { loop(end); })
{}

Worker::~Worker()
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_rules.newer != Newer::in_line)
            m_waiting.clear();
        m_current.request_stop();
    }
    m_thread.request_stop();
    m_thread.join();
}

void Worker::submit(Work work, Newer newer, Pace pace)
{
    {
        const std::lock_guard lock(m_mutex);
        ++m_stamp;
        if (newer != Newer::in_line)
            m_waiting.clear();
        if (newer == Newer::stops_old) {
            m_current.request_stop();
            m_wanted = m_stamp;
        }
        m_waiting.push_back({std::move(work), pace, m_stamp});
        m_wake.notify_one();
    }
    Q_EMIT busyChanged(true);
}

void Worker::cancel()
{
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.clear();
        m_current.request_stop();
        m_wanted = m_stamp + 1;
    }
    Q_EMIT busyChanged(false);
}

bool Worker::busy() const
{
    const std::lock_guard lock(m_mutex);
    return !m_waiting.empty()
           || std::any_of(m_open.begin(), m_open.end(), [this](long stamp) { return stamp >= m_wanted; });
}

void Worker::pause()
{
    const std::lock_guard lock(m_mutex);
    m_paused = true;
}

void Worker::resume()
{
    const std::lock_guard lock(m_mutex);
    m_paused = false;
    m_steps  = 0;
    m_gate.notify_all();
}

void Worker::step()
{
    const std::lock_guard lock(m_mutex);
    if (m_paused)
        ++m_steps;
    m_gate.notify_all();
}

bool Worker::paused() const
{
    const std::lock_guard lock(m_mutex);
    return m_paused;
}

bool Worker::passGate(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    m_gate.wait(lock, stop, [this] { return !m_paused || m_steps > 0; });
    if (stop.stop_requested())
        return false;
    if (m_paused)
        --m_steps;
    return true;
}

std::optional<Worker::Task> Worker::next(const std::stop_token& end, Clock::time_point rested)
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_wake.wait(lock, end, [this] { return !m_waiting.empty(); });
        if (m_waiting.empty() || (end.stop_requested() && m_rules.newer != Newer::in_line))
            return {};
        const bool resting = m_waiting.front().pace == Pace::rested && Clock::now() < rested && !end.stop_requested();
        if (!resting)
            break;
        m_wake.wait_until(lock, end, rested,
                          [this] { return m_waiting.empty() || m_waiting.front().pace == Pace::at_once; });
    }
    Task task = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_current = {};
    if (end.stop_requested())
        m_current.request_stop();
    task.stop = m_current.get_token();
    m_open.push_back(task.stamp);
    return task;
}

void Worker::loop(const std::stop_token& end)
{
    lowerThisThread(m_rules.niceness);
    Threads threads;
    auto rested = Clock::now();
    while (auto task = next(end, rested)) {
        const double begin = threadSeconds();
        Show show;
        QString field, sentence;
        try {
            threads.run([&] {
                const LowerHelpers lower(m_rules.niceness);
                const StopScope scope(task->stop);   // nested file readers check it
                Progress progress(*this, *task);
                show = task->work(task->stop, progress);
            });
        } catch (const Stopped&) {
            // stopped: there is no result to show
        } catch (const Error& error) {
            field    = toQString(error.field());
            sentence = toQString(error.what());
        } catch (const std::bad_alloc&) {
            sentence = tr("There is not enough memory for this.");
        } catch (const std::exception& error) {
            sentence = toQString(error.what());
        } catch (...) {
            sentence = tr("An unknown error occurred.");
        }
        task->work = nullptr;   // releases its data here, not on the window's thread
        if (task->pace == Pace::rested)
            rested = Clock::now()
                     + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(m_rules.rest * (threadSeconds() - begin)));
        deliver(task->stamp, std::move(show), true, field, sentence);
    }
}

bool Worker::timely(long stamp) const
{
    const std::lock_guard lock(m_mutex);
    return stamp >= m_wanted;
}

void Worker::deliver(long stamp, Show show, bool last, const QString& field, const QString& sentence)
{
    m_mailbox.post(
        [this, stamp, show = std::move(show), last, field, sentence] { receive(stamp, show, last, field, sentence); });
}

void Worker::receive(long stamp, const Show& show, bool last, const QString& field, const QString& sentence)
{
    if (last) {
        const std::lock_guard lock(m_mutex);
        std::erase(m_open, stamp);
    }
    if (!timely(stamp))
        return;
    const QPointer<Worker> alive(this);   // the function that shows the result can destroy its Worker
    if (!sentence.isEmpty())
        Q_EMIT failed(field, sentence);
    else if (show)
        show();
    if (alive && last && !busy())
        Q_EMIT busyChanged(false);
}

void Worker::Progress::report(double share, std::optional<double> secondsLeft)
{
    const auto now = Clock::now();
    if (m_reported && now - *m_reported < std::chrono::milliseconds(50))
        return;
    m_reported = now;
    m_worker.deliver(
        m_task.stamp, [worker = &m_worker, share, secondsLeft] { Q_EMIT worker->progressed(share, secondsLeft); },
        false);
}

void Worker::Progress::show(Show partial) { m_worker.deliver(m_task.stamp, std::move(partial), false); }

bool Worker::Progress::gate() { return m_worker.passGate(m_task.stop); }

bool Worker::Progress::paused() const { return m_worker.paused(); }
