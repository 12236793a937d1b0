// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/stopped.h"

#include <utility>

namespace credence {

namespace {

thread_local StopScope* innermost = nullptr;

}   // namespace

StopScope::StopScope(std::stop_token stop) : stop_(std::move(stop)), outer_(std::exchange(innermost, this)) {}

StopScope::~StopScope() { innermost = outer_; }

void stop_point()
{
    for (const StopScope* scope = innermost; scope; scope = scope->outer_)
        if (scope->stop_.stop_requested())
            throw Stopped{};
}

}   // namespace credence
