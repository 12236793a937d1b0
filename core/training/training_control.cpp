// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/trainer.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace credence {

struct TrainingControl::Impl {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::atomic<bool> paused{false}, leaves{false};
    long single_steps = 0;   // granted and not yet taken
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

bool TrainingControl::wait_for_permission(const std::stop_token& stop)
{
    if (!impl_->paused)
        return !stop.stop_requested() && !impl_->leaves;
    std::unique_lock lock(impl_->mutex);
    const bool granted = impl_->changed.wait(
        lock, stop, [this] { return !impl_->paused || impl_->single_steps > 0 || impl_->leaves; });
    if (impl_->leaves)
        return false;
    if (granted && impl_->paused)
        --impl_->single_steps;
    return granted && !stop.stop_requested();
}

}   // namespace credence
