// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>

namespace credence {

/// Something dear that belongs to a value and is made when it is first asked for; it goes with the value. A copy of the value begins without.
template <class T>
class MadeOnce {
public:
    MadeOnce() = default;
    MadeOnce(const MadeOnce&) {}
    MadeOnce& operator=(const MadeOnce&) = delete;

    /// @param make  returns what is kept. Called with the mutex held: a second caller waits for the first. Where it throws, the next caller tries again.
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
