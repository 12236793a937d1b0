// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace credence {

/// A pool of workspaces for parallel tasks; each task borrows one while it runs.
template <class Workspace>
class WorkspacePool {
    struct Entry {
        std::atomic<bool> taken{false};
        Workspace workspace;
    };

public:
    /// Creates the missing workspaces with make().
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

    /// Borrows one workspace for the lifetime of the Lease; there must be one per concurrent task.
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
