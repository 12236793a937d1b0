// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

namespace credence {

/// Thrown when loading or preprocessing is cancelled. It does not derive from std::exception
/// because cancelling is not an error and shows no message.
struct Stopped {};

/// While alive, `stop_point()` on this thread checks this token and those of the enclosing scopes.
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

/// Throws Stopped if any StopScope of this thread has received a stop request. Cheap enough to call
/// for each block of a file and every thousand rows. Readers deep in the call stack thus need no
/// token parameter.
void stop_point();

}   // namespace credence
