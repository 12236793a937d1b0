// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/pruning.h"

#include "foundation/error.h"

#include <gmock/gmock.h>

namespace credence {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Pruning, RemovesTheSmallestSignalToNoiseRatios)
{
    const std::vector<double> mean{1, -3, 0.1, 2}, sd{1, 1, 1, 10};   // ratios 1, 3, 0.1, 0.2
    const auto removed = [&](double fraction) { return prune_by_snr<double>(mean, sd, fraction); };
    EXPECT_THAT(removed(0), IsEmpty());
    EXPECT_THAT(removed(0.25), ElementsAre(2));
    EXPECT_THAT(removed(0.5), ElementsAre(2, 3));
    EXPECT_THAT(removed(0.99), ElementsAre(0, 2, 3));
    EXPECT_THAT(removed(1), ElementsAre(0, 1, 2, 3));
}

TEST(Pruning, TakesTheEarlierOfEqualRatios)
{
    const std::vector<float> mean{2, 1, -1, 1}, sd{1, 1, 1, 1};
    EXPECT_THAT((prune_by_snr<float>(mean, sd, 0.5)), ElementsAre(1, 2));
}

TEST(Pruning, AWeightOfZeroWithoutSpreadGoesFirst)
{
    const std::vector<double> mean{3, 0, 0.1, 2, 0},
        sd{1, 0, 1, 0, 0};   // 0/0 is not a ratio; 2/0 is the surest of all
    EXPECT_THAT((prune_by_snr<double>(mean, sd, 0.4)), ElementsAre(1, 4));
    EXPECT_THAT((prune_by_snr<double>(mean, sd, 0.8)), ElementsAre(0, 1, 2, 4));
}

TEST(Pruning, RefusesAShareOutsideZeroToOne)
{
    const std::vector<float> one{1};
    EXPECT_THROW((prune_by_snr<float>(one, one, 1.5)), Error);
    EXPECT_THROW((prune_by_snr<float>(one, one, -0.1)), Error);
}

}   // namespace
}   // namespace credence
