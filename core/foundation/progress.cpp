// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/progress.h"

#include <algorithm>
#include <utility>

namespace credence {
namespace {

thread_local StopScope* innermost = nullptr;

thread_local ProgressScope* innermost_progress = nullptr;

}   // namespace

StopScope::StopScope(std::stop_token stop) : stop_(std::move(stop)), outer_(std::exchange(innermost, this)) {}

StopScope::~StopScope() { innermost = outer_; }

void stop_point()
{
    for (const StopScope* scope = innermost; scope; scope = scope->outer_)
        if (scope->stop_.stop_requested())
            throw Stopped{};
}

ProgressScope::ProgressScope(std::function<void(double share)> report)
    : report_(std::move(report)), outer_(std::exchange(innermost_progress, this))
{}

ProgressScope::ProgressScope(double begin, double end)
    : begin_(begin), end_(end), outer_(std::exchange(innermost_progress, this))
{}

ProgressScope::~ProgressScope() { innermost_progress = outer_; }

void report_share(double share)
{
    for (const ProgressScope* scope = innermost_progress; scope; scope = scope->outer_) {
        if (scope->report_)
            return scope->report_(share);
        share = scope->begin_ + share * (scope->end_ - scope->begin_);
    }
}

void WorkProgress::report(double share)
{
    const std::lock_guard lock(mutex_);
    if (!since_first_ || share < last_) {
        first_ = share;
        since_first_.emplace();
    }
    last_ = share;
    since_last_.emplace();
}

std::optional<WorkProgress::State> WorkProgress::now() const
{
    const std::lock_guard lock(mutex_);
    if (last_ <= 0)
        return std::nullopt;
    State state{last_, {}};
    const double waited = since_last_->seconds(), worked = since_first_->seconds() - waited;
    if (last_ > first_ && worked >= soonest_)
        state.seconds_left = std::max(0.0, worked * (1 - last_) / (last_ - first_) - waited);
    return state;
}

}   // namespace credence
