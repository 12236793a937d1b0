// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/finite.h"

#include "foundation/error.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

using namespace credence;

TEST(AllFinite, FindsASingleNonFiniteValueAnywhere)
{
    for (const std::size_t n : {0u, 1u, 7u, 16u, 33u}) {
        std::vector<float> values(n, std::numeric_limits<float>::max());
        EXPECT_TRUE(all_finite(std::span<const float>(values))) << n;
        for (std::size_t i = 0; i < n; ++i)
            for (const float bad : {NAN, INFINITY, -INFINITY}) {
                auto spoiled = values;
                spoiled[i]   = bad;
                EXPECT_FALSE(all_finite(std::span<const float>(spoiled))) << i << " of " << n;
            }
    }
}

TEST(RequireFinite, NamesTheFirstNonFiniteValue)
{
    EXPECT_NO_THROW(require_finite("Number", std::vector<double>{1, 2}));
    EXPECT_THAT(
        [] {
        require_finite("Number", std::vector<double>{1, -INFINITY, NAN});
        },
        testing::ThrowsMessage<Error>("Number 1 is -inf, expected a finite number."));
    EXPECT_THAT(
        [] {
        require_no_nan("Number", std::vector<double>{INFINITY, NAN});
        },
        testing::ThrowsMessage<Error>("Number 1 is nan, expected a number."));
}
