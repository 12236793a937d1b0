// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/lazily_made.h"

#include <gtest/gtest.h>

#include <stdexcept>

using namespace credence;

TEST(MadeOnce, IsMadeOnDemandAndKeptAsLongAsItsOwner)
{
    int made                             = 0;
    auto owner                           = std::make_unique<MadeOnce<int>>();
    const auto make                      = [&] { return ++made; };
    const std::weak_ptr<const int> first = owner->get(make);
    EXPECT_EQ(owner->get(make), first.lock());
    EXPECT_EQ(*MadeOnce<int>(*owner).get(make), 2) << "a copy starts without";
    EXPECT_EQ(made, 2);
    owner.reset();
    EXPECT_TRUE(first.expired());
}

TEST(MadeOnce, IsMadeByTheNextCallerIfMakingItFailed)
{
    MadeOnce<int> owner;
    EXPECT_THROW(owner.get([]() -> int { throw std::runtime_error("no file"); }), std::runtime_error);
    EXPECT_EQ(*owner.get([] { return 3; }), 3);
}
