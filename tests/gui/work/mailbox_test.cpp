// SPDX-License-Identifier: GPL-3.0-or-later
#include "work/mailbox.h"

#include <QCoreApplication>
#include <gmock/gmock.h>

#include <memory>
#include <thread>
#include <vector>

using namespace testing;

TEST(Mailbox, RunsWhatOtherThreadsPostOnItsOwnInTheirOrder)
{
    Mailbox box;
    std::vector<int> first, second;
    std::vector<std::thread::id> where;
    const auto posts = [&](std::vector<int>& into) {
        return std::jthread([&box, &into, &where] {
            for (int k = 0; k < 100; ++k)
                box.post([&into, &where, k] {
                    into.push_back(k);
                    where.push_back(std::this_thread::get_id());
                });
        });
    };
    posts(first).join();
    {
        const auto one = posts(first), other = posts(second);
    }
    EXPECT_THAT(first, IsEmpty()) << "nothing before the event loop";
    QCoreApplication::sendPostedEvents(&box);
    ASSERT_THAT(first, SizeIs(200));
    ASSERT_THAT(second, SizeIs(100));
    for (int k = 0; k < 100; ++k) {
        EXPECT_EQ(first[100 + k], k);
        EXPECT_EQ(second[k], k);
    }
    EXPECT_THAT(where, Each(std::this_thread::get_id()));
}

TEST(Mailbox, PendingTasksAreReleasedAndNeverRunWhenItEnds)
{
    auto box         = std::make_unique<Mailbox>();
    const auto held  = std::make_shared<int>(1);
    int runs         = 0;
    const auto again = [&] { ++runs; };
    box->post([&box] { box.reset(); });   // a call may end it
    box->post([held, again] { again(); });
    EXPECT_EQ(held.use_count(), 2);
    QCoreApplication::sendPostedEvents();
    EXPECT_EQ(box, nullptr);
    EXPECT_EQ(runs, 0);
    EXPECT_EQ(held.use_count(), 1);
}
