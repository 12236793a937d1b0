// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/result_cache.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

/// A snapshot that lives as long as it is referenced.
struct Key {
    std::weak_ptr<const int> snapshot;
    bool expired() const { return snapshot.expired(); }
    bool operator==(const Key& other) const { return snapshot.lock() == other.snapshot.lock(); }
};

TEST(ResultCache, OfReleasedSnapshotsAreDroppedEvenFromUnusedCaches)
{
    ResultCache<Key, std::shared_ptr<const int>> first(4), second(4);
    auto run     = std::make_shared<const int>(1);
    auto derived = std::make_shared<const int>(2);   // as a pruned run is of its run
    std::weak_ptr<const std::shared_ptr<const int>> of_run, of_derived;
    of_run = first.find_or_make({run}, {}, [&] { return std::make_shared<const std::shared_ptr<const int>>(derived); });
    of_derived = second.find_or_make({derived}, {},
                                     [&] { return std::make_shared<const std::shared_ptr<const int>>(); });
    derived.reset();
    release_expired_results();
    EXPECT_FALSE(of_run.expired());
    EXPECT_FALSE(of_derived.expired()) << "its snapshot is referenced by the result of another one";
    run.reset();
    release_expired_results();
    EXPECT_TRUE(of_run.expired());
    EXPECT_TRUE(of_derived.expired());
}

}   // namespace
}   // namespace credence
