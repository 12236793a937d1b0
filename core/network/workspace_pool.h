// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace credence {

/// Working memories for tasks that run side by side: each takes one for its time.
template <class Workspace>
class WorkspacePool {
    struct Entry {
        std::atomic<bool> taken{false};
        Workspace workspace;
    };

public:
    /// Makes as many as are still missing, by make().
    template <class Make>
    void provide(int count, Make make)
    {
        while (entries_.size() < static_cast<std::size_t>(count)) {
            entries_.push_back(std::make_unique<Entry>());
            entries_.back()->workspace = make();
        }
    }
    template <class Body>
    void for_each(Body body)
    {
        for (auto& entry : entries_)
            body(entry->workspace);
    }

    /// One workspace for the life of a Lease; there must be one for each task at once.
    class Lease {
    public:
        explicit Lease(WorkspacePool& pool)
        {
            for (;;)
                for (auto& entry : pool.entries_)
                    if (!entry->taken.exchange(true, std::memory_order_acquire)) {
                        entry_ = entry.get();
                        return;
                    }
        }
        ~Lease() { entry_->taken.store(false, std::memory_order_release); }
        Lease(const Lease&)            = delete;
        Lease& operator=(const Lease&) = delete;
        Workspace& operator*() { return entry_->workspace; }

    private:
        Entry* entry_ = nullptr;
    };

private:
    std::vector<std::unique_ptr<Entry>> entries_;
};

}   // namespace credence
