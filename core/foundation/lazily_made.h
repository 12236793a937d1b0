// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

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

/// A pool of objects that tasks borrow: one per active thread, created when first needed.
template <class Thing>
class ObjectPool {
public:
    explicit ObjectPool(std::function<std::unique_ptr<Thing>()> make) : make_(std::move(make)) {}

    template <class Body>
    void borrow(Body body)
    {
        std::unique_ptr<Thing> thing;
        {
            std::lock_guard lock(mutex_);
            if (!free_.empty()) {
                thing = std::move(free_.back());
                free_.pop_back();
            }
        }
        if (!thing)
            thing = make_();
        body(*thing);
        std::lock_guard lock(mutex_);
        free_.push_back(std::move(thing));
    }

private:
    std::function<std::unique_ptr<Thing>()> make_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Thing>> free_;
};

}   // namespace credence
