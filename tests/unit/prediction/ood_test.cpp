// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/ood.h"

#include "foundation/error.h"
#include "prediction/scores.h"
#include "prediction/set_predictions.h"

#include "unit/prediction/two_classes.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

TEST(OutOfDistribution, IsOneIfEveryOodInputIsMoreUncertain)
{
    const auto found = out_of_distribution(two_classes({0.99, 0.02, 0.95}), two_classes({0.6, 0.5}));
    EXPECT_EQ(found.n_in, 3);
    EXPECT_EQ(found.n_out, 2);
    EXPECT_EQ(found.auroc_confidence, 1);
    EXPECT_EQ(found.auroc_entropy, 1);
    EXPECT_NEAR(found.mmc_in, (0.99 + 0.98 + 0.95) / 3, 1e-15);
    EXPECT_NEAR(found.mmc_out, 0.55, 1e-15);
    EXPECT_GT(found.mean_entropy_out, found.mean_entropy_in);
}

TEST(OutOfDistribution, OfASetAgainstItselfIsOneHalf)
{
    const auto set   = two_classes({0.9, 0.6, 0.7, 0.9});
    const auto found = out_of_distribution(set, set);
    EXPECT_EQ(found.auroc_confidence, 0.5);
    EXPECT_EQ(found.auroc_entropy, 0.5);
    EXPECT_EQ(found.auroc_information, 0.5);
    EXPECT_EQ(found.mmc_in, found.mmc_out);
}

TEST(OutOfDistribution, SwappedSidesGiveOneMinusTheArea)
{
    const auto in = two_classes({0.9, 0.6, 0.7}), out = two_classes({0.8, 0.65, 0.5, 0.55});
    EXPECT_NEAR(out_of_distribution(in, out).auroc_confidence + out_of_distribution(out, in).auroc_confidence, 1,
                1e-15);
    EXPECT_NEAR(out_of_distribution(in, out).auroc_entropy + out_of_distribution(out, in).auroc_entropy, 1, 1e-15);
}

TEST(OutOfDistribution, OfTwoClassesSeesTheSameOrderInConfidenceAndEntropy)
{
    const auto found = out_of_distribution(two_classes({0.91, 0.62, 0.73}), two_classes({0.81, 0.65, 0.5, 0.55}));
    EXPECT_DOUBLE_EQ(found.auroc_confidence, found.auroc_entropy);
}

TEST(OutOfDistribution, DetectsDisagreementThatTheMeanHides)
{
    // Equal means: inside, each draw gives one half; outside, the draws contradict one another.
    const std::vector<double> inside{0.5, 0.5, 0.5, 0.5}, outside{0.9, 0.1, 0.1, 0.9};
    const auto found = out_of_distribution(class_predictions(SampleView<double>{inside, 2, 1, 2}),
                                           class_predictions(SampleView<double>{outside, 2, 1, 2}));
    EXPECT_EQ(found.auroc_confidence, 0.5);
    EXPECT_EQ(found.auroc_information, 1);
    EXPECT_NEAR(found.mean_information_in, 0, 1e-15);
    EXPECT_NEAR(found.mean_information_out, std::log(2) + 0.9 * std::log(0.9) + 0.1 * std::log(0.1), 1e-15);
}

TEST(OutOfDistribution, RanksByLogitsWhereEveryConfidenceIsOne)
{
    const auto of_gaps = [](std::vector<double> gaps) {
        std::vector<double> logs;
        for (const double gap : gaps)
            logs.insert(logs.end(), {-std::log1p(std::exp(-gap)), -gap - std::log1p(std::exp(-gap))});
        return set_predictions(ClassSamples{1, static_cast<int>(gaps.size()), 2, std::move(logs), true}, {}).classes;
    };
    const auto found = out_of_distribution(of_gaps({45, 50, 62}), of_gaps({38, 40, 44.5}));
    EXPECT_EQ(found.auroc_confidence, 1);
    EXPECT_EQ(found.auroc_entropy, 1);
}

TEST(OutOfDistribution, RejectsAnEmptySideAndOtherClasses)
{
    const auto set = two_classes({0.9});
    EXPECT_THAT([&] { out_of_distribution(set, {.n_classes = 2}); },
                testing::ThrowsMessage<Error>(
                    "Out of distribution: found 1 inputs of the data and 0 OOD inputs, expected some of both."));
    const std::vector<double> three{0.2, 0.3, 0.5};
    EXPECT_THAT(
        [&] {
        out_of_distribution(set, class_predictions(SampleView<double>{three, 1, 1, 3}));
        },
        testing::ThrowsMessage<Error>(
            "Out of distribution: predictions of 2 and of 3 classes do not come from the same network."));
}
