// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "prediction/scores.h"
#include "prediction/set_predictions.h"
#include "unit/prediction/two_classes.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>

using namespace credence;
using testing::ElementsAre;

namespace {

struct Scored {
    std::vector<double> scores;
    std::vector<char> positive;
};
/// Scores on a coarse raster, so that many are equal.
Scored random_scores(int n, int values, unsigned seed)
{
    std::minstd_rand random(seed);
    Scored out;
    for (int i = 0; i < n; ++i) {
        out.positive.push_back(random() % 3 == 0);
        out.scores.push_back(static_cast<double>(random() % values + (out.positive.back() ? values / 4 : 0)) / values);
    }
    return out;
}

double trapezoids(const RocCurve& curve)
{
    double area = 0;
    for (std::size_t i = 1; i < curve.false_positive.size(); ++i)
        area += (curve.false_positive[i] - curve.false_positive[i - 1])
                * (curve.true_positive[i] + curve.true_positive[i - 1]) / 2;
    return area;
}

ClassPredictions mean_predictions(std::vector<double> mean, int classes)
{
    ClassPredictions out{
        .n_inputs = static_cast<int>(mean.size()) / classes, .n_classes = classes, .mean = std::move(mean)};
    return out;
}

}   // namespace

TEST(RocCurve, RisesFromOneCornerToTheOther)
{
    const auto data  = random_scores(200, 30, 1);
    const auto curve = roc_curve(data.scores, data.positive);
    EXPECT_EQ(curve.false_positive.front(), 0);
    EXPECT_EQ(curve.true_positive.front(), 0);
    EXPECT_EQ(curve.false_positive.back(), 1);
    EXPECT_EQ(curve.true_positive.back(), 1);
    EXPECT_TRUE(std::is_sorted(curve.false_positive.begin(), curve.false_positive.end()));
    EXPECT_TRUE(std::is_sorted(curve.true_positive.begin(), curve.true_positive.end()));
}

TEST(RocCurve, HasTheAreaThatCountsPairs)
{
    for (const int values : {2, 7, 30, 100000})
        for (unsigned seed = 1; seed < 6; ++seed) {
            const auto data  = random_scores(150, values, seed);
            const auto curve = roc_curve(data.scores, data.positive);
            std::vector<double> positive, negative;
            for (std::size_t i = 0; i < data.scores.size(); ++i)
                (data.positive[i] ? positive : negative).push_back(data.scores[i]);
            EXPECT_DOUBLE_EQ(curve.area, auroc(positive, negative));
            EXPECT_NEAR(curve.area, trapezoids(curve), 1e-13);
        }
}

TEST(RocCurve, GoesThroughTheSharesAboveEachScore)
{
    const std::vector<double> scores{0.9, 0.8, 0.8, 0.3, 0.1};
    const std::vector<char> positive{1, 1, 0, 0, 1};
    const auto curve = roc_curve(scores, positive);
    EXPECT_THAT(curve.false_positive, ElementsAre(0, 0, 0.5, 1, 1));
    EXPECT_THAT(curve.true_positive, ElementsAre(0, 1.0 / 3, 2.0 / 3, 2.0 / 3, 1));
    EXPECT_DOUBLE_EQ(curve.area, 3.5 / 6);
}

TEST(RocCurve, KeepsOnlyItsCorners)
{
    std::vector<double> scores;
    std::vector<char> positive;
    for (int i = 0; i < 1000; ++i) {
        scores.push_back(i);
        positive.push_back(i >= 400);
    }
    const auto curve = roc_curve(scores, positive);
    EXPECT_THAT(curve.false_positive, ElementsAre(0, 0, 1));
    EXPECT_THAT(curve.true_positive, ElementsAre(0, 1, 1));
    EXPECT_EQ(curve.area, 1);
}

TEST(RocCurve, OfEqualScoresIsTheDiagonal)
{
    const auto curve = roc_curve(std::vector<double>{0.5, 0.5, 0.5}, std::vector<char>{1, 0, 1});
    EXPECT_THAT(curve.false_positive, ElementsAre(0, 1));
    EXPECT_EQ(curve.area, 0.5);
}

TEST(RocCurve, IsMirroredWhenTheSidesAreSwapped)
{
    const auto data = random_scores(90, 11, 4);
    Scored turned   = data;
    for (auto& s : turned.scores)
        s = -s;
    for (auto& p : turned.positive)
        p = !p;
    const auto curve = roc_curve(data.scores, data.positive), other = roc_curve(turned.scores, turned.positive);
    EXPECT_DOUBLE_EQ(curve.area, other.area);
    ASSERT_EQ(curve.false_positive.size(), other.false_positive.size());
    for (std::size_t i = 0; i < curve.false_positive.size(); ++i)
        EXPECT_NEAR(curve.false_positive[i], 1 - other.true_positive[other.true_positive.size() - 1 - i], 1e-15);
}

TEST(RocCurve, AcceptsInfiniteScoresAndRejectsNaN)
{
    const double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(roc_curve(std::vector<double>{inf, -inf}, std::vector<char>{1, 0}).area, 1);
    EXPECT_THAT(
        [] {
        roc_curve(std::vector<double>{0.1, std::nan("")}, std::vector<char>{1, 0});
        },
        testing::ThrowsMessage<Error>("ROC: score 1 is not a number."));
    EXPECT_THAT(
        [] {
        roc_curve(std::vector<double>{0.1, 0.2}, std::vector<char>{1, 1});
        },
        testing::ThrowsMessage<Error>("ROC: found 2 positive and 0 negative inputs, expected some of both."));
    EXPECT_THAT(
        [] {
        roc_curve(std::vector<double>{0.1}, std::vector<char>{1, 0});
        },
        testing::ThrowsMessage<Error>("ROC: 1 scores for 2 inputs."));
}

TEST(MeanCurve, HasTheMeanArea)
{
    std::vector<RocCurve> curves;
    for (unsigned seed = 1; seed < 6; ++seed) {
        const auto data = random_scores(40 * static_cast<int>(seed), 3 + 8 * static_cast<int>(seed), seed);
        curves.push_back(roc_curve(data.scores, data.positive));
    }
    std::vector<const RocCurve*> all;
    double sum = 0;
    for (const auto& curve : curves) {
        all.push_back(&curve);
        sum += curve.area;
    }
    const auto mean = mean_curve(all);
    EXPECT_DOUBLE_EQ(mean.area, sum / 5);
    EXPECT_NEAR(trapezoids(mean), sum / 5, 1e-13);
    EXPECT_EQ(mean.false_positive.front(), 0);
    EXPECT_EQ(mean.true_positive.back(), 1);
}

TEST(MeanCurve, OfOneCurveIsThatCurve)
{
    const auto data       = random_scores(60, 9, 2);
    const auto curve      = roc_curve(data.scores, data.positive);
    const RocCurve* one[] = {&curve};
    const auto mean       = mean_curve(one);
    EXPECT_EQ(mean.false_positive, curve.false_positive);
    EXPECT_EQ(mean.true_positive, curve.true_positive);
}

TEST(OneAgainstAll, IsTheCurveOfEachClassAgainstTheOthers)
{
    const auto predictions = mean_predictions({0.8, 0.1, 0.1, 0.2, 0.7, 0.1, 0.3, 0.3, 0.4, 0.5, 0.2, 0.3}, 3);
    const std::vector<int> labels{0, 1, 2, 2};
    const auto roc = one_against_all(predictions, labels);
    ASSERT_EQ(roc.classes.size(), 3u);
    EXPECT_EQ(roc.classes[2]->area,
              roc_curve(std::vector<double>{0.1, 0.1, 0.4, 0.3}, std::vector<char>{0, 0, 1, 1}).area);
    EXPECT_DOUBLE_EQ(roc.mean->area, (roc.classes[0]->area + roc.classes[1]->area + roc.classes[2]->area) / 3);
}

TEST(OneAgainstAll, SkipsAnEmptyClass)
{
    const auto predictions = mean_predictions({0.8, 0.1, 0.1, 0.2, 0.7, 0.1}, 3);
    const auto roc         = one_against_all(predictions, std::vector<int>{0, 1});
    EXPECT_TRUE(roc.classes[0] && roc.classes[1]);
    EXPECT_FALSE(roc.classes[2]);
    EXPECT_EQ(roc.mean->area, 1);
}

TEST(OneAgainstAll, HasNoCurveWhereAllInputsAreOfOneClass)
{
    const auto roc = one_against_all(mean_predictions({0.8, 0.2, 0.3, 0.7}, 2), std::vector<int>{1, 1});
    EXPECT_FALSE(roc.classes[0] || roc.classes[1] || roc.mean);
}

TEST(OneAgainstAll, OfTwoClassesHasOneAreaTwice)
{
    std::vector<double> p;
    std::vector<int> labels;
    const auto data = random_scores(80, 16, 3);   // sixteenths: p and 1 − p are exact
    for (std::size_t i = 0; i < data.scores.size(); ++i) {
        const double q = std::min(data.scores[i], 1.0);
        p.insert(p.end(), {1 - q, q});
        labels.push_back(data.positive[i]);
    }
    const auto roc = one_against_all(mean_predictions(p, 2), labels);
    EXPECT_DOUBLE_EQ(roc.classes[0]->area, roc.classes[1]->area);
    EXPECT_DOUBLE_EQ(roc.mean->area, roc.classes[0]->area);
}

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
