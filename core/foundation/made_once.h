// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>

namespace credence {

/// A lazily computed, cached object that is expensive to compute and belongs to a value. A copy of
/// the value starts with an empty cache.
template <class T>
class MadeOnce {
public:
    MadeOnce() = default;
    MadeOnce(const MadeOnce&) {}
    MadeOnce& operator=(const MadeOnce&) = delete;

    /// @param make  computes the object. It is called with the mutex locked, so a second caller
    ///              waits for the first. If it throws, the next caller tries again.
    template <class Make>
    std::shared_ptr<const T> get(Make make) const
    {
        const std::lock_guard lock(mutex_);
        if (!made_)
            made_ = std::make_shared<const T>(make());
        return made_;
    }

private:
    mutable std::mutex mutex_;
    mutable std::shared_ptr<const T> made_;
};

}   // namespace credence
