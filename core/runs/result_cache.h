// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <tuple>
#include <utility>

namespace credence {

/// Identifies one recorded step of a run in a cache key. A weak reference: an expired snapshot must
/// neither stay in memory nor be mistaken for a new one. One target of a run is identified by its
/// number, since its own experiment (run_of_target) can be created again.
struct WeakSnapshot {
    std::weak_ptr<const Experiment> experiment;
    std::weak_ptr<const Snapshot> snapshot;
    std::optional<std::size_t> target;

    WeakSnapshot(const RunSnapshot& run) : experiment(run.experiment), snapshot(run.snapshot)
    {
        if (const auto all = run.experiment ? run.experiment->all_targets.lock() : nullptr) {
            experiment = all;
            target     = run.experiment->target;
        }
    }
    bool expired() const { return experiment.expired() || snapshot.expired(); }
    bool operator==(const WeakSnapshot& other) const
    {
        const auto same = [](const auto& a, const auto& b) { return !a.owner_before(b) && !b.owner_before(a); };
        return same(experiment, other.experiment) && same(snapshot, other.snapshot) && target == other.target;
    }
};

/// Identifies a result by the recorded step and the other values that it depends on.
template <class... Others>
struct SnapshotKey {
    WeakSnapshot run;
    std::tuple<Others...> others;

    SnapshotKey(const RunSnapshot& of, Others... with) : run(of), others(std::move(with)...) {}
    bool expired() const { return run.expired(); }
    bool operator==(const SnapshotKey&) const = default;
};

/// Releases all cached results of expired snapshots. Each cache also does so itself when it is used
/// for another result.
void release_expired_results();

/// Base class of all result caches; it registers them for `release_expired_results`.
class AnyResultCache {
public:
    virtual ~AnyResultCache()                        = default;
    AnyResultCache(const AnyResultCache&)            = delete;
    AnyResultCache& operator=(const AnyResultCache&) = delete;
    virtual bool release_expired()                   = 0;   ///< @return  true if there were any

protected:
    AnyResultCache() = default;
    void register_cache();     ///< call at the end of construction: another thread can use it at once
    void unregister_cache();   ///< call at the beginning of destruction
};

/// Caches the last few results of an expensive computation that several views use. A second thread
/// that needs the same result waits for the first one, and can be stopped while it waits.
/// @tparam Key  has expired() and ==
template <class Key, class Value>
class ResultCache final : public AnyResultCache {
public:
    using Result = std::shared_ptr<const Value>;
    explicit ResultCache(std::size_t kept) : kept_(kept) { register_cache(); }
    ~ResultCache() override { unregister_cache(); }

    /// @return  null: not computed, in progress, or released
    Result find(const Key& key)
    {
        const std::lock_guard lock(mutex_);
        for (const auto& entry : entries_)
            if (!entry.at_work && entry.key == key)
                return entry.result;
        return nullptr;
    }

    /// @param make  () → Result; null if it was stopped, and then nothing is cached
    template <class Make>
    Result find_or_make(const Key& key, const std::stop_token& stop, Make make)
    {
        std::unique_lock lock(mutex_);
        while (true) {
            entries_.remove_if(is_expired);
            const auto found = std::find_if(entries_.begin(), entries_.end(),
                                            [&](const Entry& e) { return e.key == key; });
            if (found == entries_.end())
                break;
            if (!found->at_work) {
                entries_.splice(entries_.begin(), entries_, found);
                return entries_.front().result;
            }
            if (!changed_.wait(lock, stop, [&] {
                    return std::none_of(entries_.begin(), entries_.end(),
                                        [&](const Entry& e) { return e.at_work && e.key == key; });
                }))
                return nullptr;
        }
        entries_.push_front({key, true, nullptr});
        const auto mine = entries_.begin();
        lock.unlock();
        Result result;
        try {
            result = make();
        } catch (...) {
            lock.lock();
            entries_.erase(mine);
            changed_.notify_all();
            throw;
        }
        lock.lock();
        if (result) {
            mine->result  = result;
            mine->at_work = false;
        } else {
            entries_.erase(mine);
        }
        for (auto last = entries_.end(); entries_.size() > kept_ && last != entries_.begin();)
            if (--last; !last->at_work)
                last = entries_.erase(last);
        changed_.notify_all();
        return result;
    }

    bool release_expired() override
    {
        const std::lock_guard lock(mutex_);
        return entries_.remove_if(is_expired) > 0;
    }

private:
    struct Entry {
        Key key;
        bool at_work = true;
        Result result;
    };
    static bool is_expired(const Entry& entry) { return !entry.at_work && entry.key.expired(); }

    std::size_t kept_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::list<Entry> entries_;
};

}   // namespace credence
