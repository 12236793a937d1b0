// SPDX-License-Identifier: GPL-3.0-or-later
#include "work/low_priority.h"

#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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
