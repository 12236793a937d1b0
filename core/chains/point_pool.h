// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/hamiltonian.h"

#include <cassert>
#include <utility>
#include <vector>

namespace credence {

/// A pool of reference-counted points in phase space, shared by nodes of a tree. The most recently
/// released point is reused first, since it is in the cache.
class PointPool {
public:
    class Ref {
    public:
        Ref() = default;
        Ref(const Ref& other) : pool_(other.pool_), index_(other.index_)
        {
            if (pool_)
                ++pool_->uses_[index_];
        }
        Ref(Ref&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), index_(other.index_) {}
        Ref& operator=(Ref other) noexcept
        {
            std::swap(pool_, other.pool_);
            std::swap(index_, other.index_);
            return *this;
        }
        ~Ref()
        {
            if (pool_ && --pool_->uses_[index_] == 0)
                pool_->free_.push_back(index_);
        }
        PhasePoint& operator*() const { return pool_->points_[index_]; }
        PhasePoint* operator->() const { return &pool_->points_[index_]; }
        bool operator==(const Ref&) const = default;

    private:
        friend class PointPool;
        Ref(PointPool* pool, std::size_t index) : pool_(pool), index_(index) { pool_->uses_[index_] = 1; }

        PointPool* pool_   = nullptr;
        std::size_t index_ = 0;
    };

    PointPool(std::size_t count, std::size_t dimension) : uses_(count, 0)
    {
        points_.reserve(count);
        free_.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            points_.emplace_back(dimension);
            free_.push_back(count - 1 - i);
        }
    }
    PointPool(const PointPool&)            = delete;
    PointPool& operator=(const PointPool&) = delete;

    Ref take()
    {
        assert(!free_.empty());
        const std::size_t index = free_.back();
        free_.pop_back();
        return {this, index};
    }

private:
    std::vector<PhasePoint> points_;
    std::vector<int> uses_;
    std::vector<std::size_t> free_;
};

}   // namespace credence
