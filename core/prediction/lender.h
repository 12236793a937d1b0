// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace credence {

/// A pool of objects that tasks borrow: one per active thread, created when first needed.
template <class Thing>
class Lender {
public:
    explicit Lender(std::function<std::unique_ptr<Thing>()> make) : make_(std::move(make)) {}

    template <class Body>
    void lend(Body body)
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
