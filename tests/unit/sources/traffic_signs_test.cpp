// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/traffic_signs.h"

#include "foundation/parallel.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace credence;

namespace {

std::vector<std::uint8_t> bytes_of_sign(const ImageSet& set, std::size_t i)
{
    return {set.image(i).begin(), set.image(i).end()};
}

/// The mean image of each class [classes][3072].
std::vector<std::vector<double>> mean_signs(const ImageSet& set)
{
    std::vector<std::vector<double>> means(set.n_classes(), std::vector<double>(set.n_pixels()));
    std::vector<double> counts(set.n_classes());
    for (std::size_t i = 0; i < set.n; ++i) {
        const auto k = static_cast<std::size_t>(set.labels[i]);
        ++counts[k];
        for (std::size_t p = 0; p < set.n_pixels(); ++p)
            means[k][p] += set.image(i)[p];
    }
    for (std::size_t k = 0; k < means.size(); ++k)
        for (double& value : means[k])
            value /= counts[k];
    return means;
}

}   // namespace

TEST(TrafficSigns, AreValidColourImagesOfAtLeastTwentyUniquelyNamedClasses)
{
    const ImageSet set = draw_traffic_signs({.n = 48});
    EXPECT_NO_THROW(set.check());
    EXPECT_EQ(set.channels * 10000 + set.height * 100 + set.width, 33232u);
    EXPECT_GE(set.n_classes(), 20u);
    EXPECT_EQ(std::set<std::string>(set.class_names.begin(), set.class_names.end()).size(), set.n_classes());
    EXPECT_THAT(set.class_names, testing::IsSupersetOf({"Speed limit 30", "Stop", "Give way", "Priority road"}));
}

TEST(TrafficSigns, AreAFunctionOfTheirSeedTheirSequenceAndTheDifficulty)
{
    const ImageSet one = draw_traffic_signs({.n = 30});
    EXPECT_EQ(one, draw_traffic_signs({.n = 30}));
    EXPECT_NE(one.pixels, draw_traffic_signs({.n = 30, .seed = 2}).pixels);
    EXPECT_NE(one.pixels, draw_traffic_signs({.sequence = SignSequence::test, .n = 30}).pixels);
    EXPECT_NE(one.pixels, draw_traffic_signs({.n = 30, .difficulty = 0.7}).pixels);
}

TEST(TrafficSigns, AreOneSequenceHoweverItIsCut)
{
    const ImageSet all = draw_traffic_signs({.n = 60}), part = draw_traffic_signs({.n = 23, .first = 17});
    for (std::size_t i = 0; i < part.n; ++i) {
        EXPECT_EQ(part.labels[i], all.labels[17 + i]);
        EXPECT_EQ(bytes_of_sign(part, i), bytes_of_sign(all, 17 + i)) << i;
    }
}

TEST(TrafficSigns, AreTheSameForAnyNumberOfThreads)
{
    ImageSet one, several;
    Threads(1).run([&] { one = draw_traffic_signs({.n = 300}); });
    Threads(5).run([&] { several = draw_traffic_signs({.n = 300}); });
    EXPECT_EQ(one, several);
}

TEST(TrafficSigns, AreOneOfEachClassInEveryRoundInAnotherOrder)
{
    const ImageSet set  = draw_traffic_signs({.n = 96});
    const std::size_t k = set.n_classes();
    ASSERT_EQ(k, sign_designs().size());
    std::set<std::vector<int>> orders;
    for (std::size_t round = 0; (round + 1) * k <= set.n; ++round) {
        const auto first = set.labels.begin() + static_cast<std::ptrdiff_t>(round * k);
        std::vector<int> order(first, first + static_cast<std::ptrdiff_t>(k));
        orders.insert(order);
        EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), k);
    }
    EXPECT_EQ(orders.size(), set.n / k);
}

TEST(TrafficSigns, LookDifferentInEveryClass)
{
    for (const double difficulty : {0.0, 0.5}) {
        const auto means = mean_signs(draw_traffic_signs({.n = 24 * 30, .difficulty = difficulty}));
        for (std::size_t a = 0; a < means.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) {
                double largest = 0;   // in the middle, where backgrounds do not count
                for (std::size_t p = 0; p < means[a].size(); ++p)
                    if (const std::size_t row = p / 32 % 32, column = p % 32;
                        row >= 8 && row < 24 && column >= 8 && column < 24)
                        largest = std::max(largest, std::abs(means[a][p] - means[b][p]));
                EXPECT_GT(largest, 20) << a << " and " << b << " at " << difficulty;
            }
    }
}

TEST(TrafficSigns, VaryMoreAtHigherDifficulty)
{
    const auto spread = [](double difficulty) {
        const ImageSet set = draw_traffic_signs({.n = 24 * 10, .difficulty = difficulty});
        const auto means   = mean_signs(set);
        double squares     = 0;
        for (std::size_t i = 0; i < set.n; ++i)
            for (std::size_t p = 0; p < set.n_pixels(); ++p) {
                const double d = set.image(i)[p] - means[static_cast<std::size_t>(set.labels[i])][p];
                squares += d * d;
            }
        return squares;
    };
    const double easy = spread(0), middle = spread(0.4), hard = spread(1);
    EXPECT_LT(easy, middle);
    EXPECT_LT(middle, hard);
}

TEST(TrafficSigns, ReportInvalidInput)
{
    EXPECT_EQ(refusal([] { draw_traffic_signs({.n = 0}); }), "data.n | Number of images is 0, expected 1 to 1000000.");
    EXPECT_EQ(refusal([] { draw_traffic_signs({.n = 1, .first = 200'000'000}); }),
              "data.first | Number of the first image is 200000000, expected 0 to 100000000.");
    EXPECT_EQ(refusal([] { draw_traffic_signs({.n = 1, .difficulty = 1.5}); }),
              "data.difficulty | Difficulty is 1.5, expected a number from 0 to 1.");
}
