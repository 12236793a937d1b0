// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/pruning.h"

#include "foundation/error.h"
#include "posteriors.h"

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

TEST(Pruning, RemovesTheEarlierOfEqualRatios)
{
    const std::vector<float> mean{2, 1, -1, 1}, sd{1, 1, 1, 1};
    EXPECT_THAT((prune_by_snr<float>(mean, sd, 0.5)), ElementsAre(1, 2));
}

TEST(Pruning, AZeroWeightWithoutSpreadIsRemovedFirst)
{
    const std::vector<double> mean{3, 0, 0.1, 2, 0},
        sd{1, 0, 1, 0, 0};   // 0/0 is not a ratio; 2/0 is the largest of all
    EXPECT_THAT((prune_by_snr<double>(mean, sd, 0.4)), ElementsAre(1, 4));
    EXPECT_THAT((prune_by_snr<double>(mean, sd, 0.8)), ElementsAre(0, 1, 2, 4));
}

/// A layer of 3 weights and 1 bias, and one of 2 and 1.
std::vector<std::size_t> removed_by(const PruneRule& rule)
{
    static const auto layout = testing::layout_with({3, 1, 2, 1});
    const std::vector<double> mean{1, -3, 0.5, 0.25, 2, -4, 0.125}, sd{1, 1, 4, 0.5, 0.25, 8, 2};
    return pruned_weights<double>(rule, layout, mean, sd);   // |μ|/σ = 1, 3, 0.125, 0.5, 8, 0.5, 0.0625
}

TEST(Pruning, SupportsThreeOrders)
{
    const double three_of_seven = 0.45;
    EXPECT_THAT(removed_by({.share = three_of_seven, .by = PruneBy::signal_to_noise}), ElementsAre(2, 3, 6));
    EXPECT_THAT(removed_by({.share = three_of_seven, .by = PruneBy::magnitude}), ElementsAre(2, 3, 6));
    EXPECT_THAT(removed_by({.share = 0.6, .by = PruneBy::magnitude}), ElementsAre(0, 2, 3, 6));
    EXPECT_THAT(removed_by({.share = 0.6, .by = PruneBy::signal_to_noise}),
                ElementsAre(2, 3, 5, 6));   // −4 is large, and its σ is larger
    EXPECT_THAT(removed_by({.share = three_of_seven, .by = PruneBy::spread}), ElementsAre(2, 5, 6));
}

TEST(Pruning, CanPruneLayerByLayerAndKeepTheBiases)
{
    EXPECT_THAT(removed_by({.share = 0.5, .per_layer = true}), ElementsAre(2, 3, 6));                 // 2 of 4, 1 of 3
    EXPECT_THAT(removed_by({.share = 0.5, .biases = false}), ElementsAre(2, 5));                      // 2 of 5
    EXPECT_THAT(removed_by({.share = 0.5, .per_layer = true, .biases = false}), ElementsAre(2, 5));   // 1 of 3, 1 of 2
    EXPECT_THAT(removed_by({.share = 1, .biases = false}), ElementsAre(0, 1, 2, 4, 5));
    EXPECT_THAT(removed_by({.share = 0}), IsEmpty());
}

TEST(Pruning, OfWeightsWithSmallSpreadRemovesTheSmallestFirst)
{
    const std::vector<double> mean{3, -1, 2, 0.5}, sd{0, 0, 0, 1};   // |μ|/σ = ∞, ∞, ∞, 0.5
    EXPECT_THAT((prune_by_snr<double>(mean, sd, 0.5)), ElementsAre(1, 3));
    EXPECT_THAT((prune_by_snr<double>(mean, sd, 0.75)), ElementsAre(1, 2, 3));
}

TEST(Pruning, OrdersHaveNames)
{
    EXPECT_EQ(prune_by_named("signal_to_noise"), PruneBy::signal_to_noise);
    EXPECT_EQ(prune_by_named("magnitude"), PruneBy::magnitude);
    EXPECT_EQ(prune_by_named("spread"), PruneBy::spread);
    EXPECT_THAT([] { prune_by_named("snr"); },
                ::testing::ThrowsMessage<Error>(
                    "The pruning criterion is \"snr\", expected signal_to_noise, magnitude or spread."));
}

TEST(Pruning, IsDescribedInWords)
{
    EXPECT_EQ(words_of({.share = 0.95}), "95 % of weights removed by |μ|/σ");
    EXPECT_EQ(words_of({.share = 0.5, .by = PruneBy::spread, .per_layer = true, .biases = false}),
              "50 % of weights removed by σ (largest first), separately in each layer, biases kept");
}

TEST(Pruning, RejectsAShareOutsideZeroToOne)
{
    const std::vector<float> one{1};
    EXPECT_THROW((prune_by_snr<float>(one, one, 1.5)), Error);
    EXPECT_THROW((prune_by_snr<float>(one, one, -0.1)), Error);
}

}   // namespace
}   // namespace credence
