// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

namespace credence {

/// Thrown where reading or preparing was asked to stop. No std::exception: it is no mistake, and nobody says a sentence about it.
struct Stopped {};

/// While alive, `stop_point()` on this thread asks this token, and those of the scopes around it.
class StopScope {
public:
    explicit StopScope(std::stop_token stop);
    ~StopScope();
    StopScope(const StopScope&)            = delete;
    StopScope& operator=(const StopScope&) = delete;

private:
    friend void stop_point();
    std::stop_token stop_;
    StopScope* outer_;
};

/// Throws Stopped if a StopScope of this thread was asked to stop. Cheap enough for each block of a file and each thousand rows: readers
/// stand many calls below what knows the token.
void stop_point();

}   // namespace credence
