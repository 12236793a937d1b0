// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/result_cache.h"

#include <vector>

namespace credence {

namespace {

struct Caches {
    std::mutex mutex;
    std::vector<AnyResultCache*> all;
};
Caches& caches()
{
    static Caches the;
    return the;
}

}   // namespace

void AnyResultCache::register_cache()
{
    const std::lock_guard lock(caches().mutex);
    caches().all.push_back(this);
}

void AnyResultCache::unregister_cache()
{
    const std::lock_guard lock(caches().mutex);
    std::erase(caches().all, this);
}

void release_expired_results()
{
    const std::lock_guard lock(caches().mutex);
    bool again = true;
    while (again) {   // repeated, since a result may own the snapshot of another one
        again = false;
        for (auto* one : caches().all)
            again = one->release_expired() || again;
    }
}

}   // namespace credence
