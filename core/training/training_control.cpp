// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/trainer.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>

namespace credence {

struct TrainingControl::Impl {
    using Clock = std::chrono::steady_clock;

    std::mutex mutex;
    std::condition_variable_any changed;
    std::atomic<bool> paused{false}, leaves{false};
    std::atomic<double> rate{0};   // steps per second; 0: no limit
    long single_steps = 0;         // allowed but not yet made
    Clock::time_point due{};       // time of the next step in slow motion

    Clock::duration interval() const
    {
        constexpr double longest = 3600;   // seconds: a longer delay is a pause
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(longest, 1 / rate)));
    }
    /// Schedules the next step. Delays are not made up for.
    void schedule_next()
    {
        const auto now = Clock::now();
        due            = (due + interval() < now ? now : due) + interval();
    }
};

TrainingControl::TrainingControl() : impl_(std::make_unique<Impl>()) {}
TrainingControl::~TrainingControl() = default;

void TrainingControl::pause()
{
    std::lock_guard lock(impl_->mutex);
    impl_->paused       = true;
    impl_->single_steps = 0;
}

void TrainingControl::resume()
{
    {
        std::lock_guard lock(impl_->mutex);
        impl_->paused       = false;
        impl_->single_steps = 0;
    }
    impl_->changed.notify_all();
}

void TrainingControl::step_once()
{
    {
        std::lock_guard lock(impl_->mutex);
        impl_->paused = true;
        ++impl_->single_steps;
    }
    impl_->changed.notify_all();
}

void TrainingControl::leave()
{
    {
        std::lock_guard lock(impl_->mutex);
        impl_->leaves = true;
    }
    impl_->changed.notify_all();
}

bool TrainingControl::leaves() const { return impl_->leaves; }

bool TrainingControl::paused() const { return impl_->paused; }

void TrainingControl::set_rate(double steps_per_second)
{
    assert(std::isfinite(steps_per_second) && steps_per_second >= 0);
    {
        std::lock_guard lock(impl_->mutex);
        impl_->rate = steps_per_second;
        impl_->due  = Impl::Clock::now();
    }
    impl_->changed.notify_all();
}

double TrainingControl::rate() const { return impl_->rate; }

bool TrainingControl::wait_for_permission(const std::stop_token& stop)
{
    Impl& at = *impl_;
    if (!holds_back())
        return !stop.stop_requested() && !at.leaves;
    std::unique_lock lock(at.mutex);
    while (!stop.stop_requested() && !at.leaves) {
        if (at.paused && at.single_steps > 0) {
            --at.single_steps;
            return true;
        }
        if (at.paused) {
            at.changed.wait(lock, stop, [&at] { return !at.paused || at.single_steps > 0 || at.leaves; });
        } else if (at.rate <= 0) {
            return true;
        } else if (Impl::Clock::now() >= at.due) {
            at.schedule_next();
            return true;
        } else {
            const auto due = at.due;   // recomputed when the rate changes
            at.changed.wait_until(lock, stop, due, [&at, due] { return at.paused || at.due != due || at.leaves; });
        }
    }
    return false;
}

}   // namespace credence
