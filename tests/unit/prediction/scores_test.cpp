// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/scores.h"

#include "foundation/elementary.h"
#include "foundation/error.h"
#include "prediction/set_predictions.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace credence;
using testing::ElementsAre;

namespace {

/// S × N × K probabilities from a stream of random numbers.
std::vector<double> random_probabilities(int S, int N, int K)
{
    std::vector<double> p(static_cast<std::size_t>(S) * N * K);
    for (std::size_t i = 0; i < p.size(); ++i)
        p[i] = std::fmod(0.618033988749895 * static_cast<double>(i + 1), 1.0) + 0.01;
    for (std::size_t row = 0; row < p.size(); row += K) {
        double sum = 0;
        for (int k = 0; k < K; ++k)
            sum += p[row + k];
        for (int k = 0; k < K; ++k)
            p[row + k] /= sum;
    }
    return p;
}

ClassPredictions predictions_of(const std::vector<double>& mean, int K)
{
    return class_predictions(SampleView<double>{mean, 1, static_cast<int>(mean.size()) / K, K});
}

}   // namespace

TEST(ClassPredictions, EqualTheFormulasWrittenTheNaiveWay)
{
    const int S = 7, N = 5, K = 3;
    const auto p   = random_probabilities(S, N, K);
    const auto out = class_predictions(SampleView<double>{p, S, N, K});
    for (int i = 0; i < N; ++i) {
        double h_mean = 0, mean_h = 0;
        for (int k = 0; k < K; ++k) {
            double mean = 0;
            for (int s = 0; s < S; ++s) {
                const double q = p[(s * N + i) * K + k];
                mean += q / S;
                mean_h -= q * std::log(q) / S;
            }
            EXPECT_NEAR(out.mean[i * K + k], mean, 1e-15);
            h_mean -= mean * std::log(mean);
        }
        EXPECT_NEAR(out.entropy[i], h_mean, 1e-14);
        EXPECT_NEAR(out.expected_entropy[i], mean_h, 1e-14);
        EXPECT_NEAR(out.mutual_information[i], h_mean - mean_h, 1e-14);
    }
}

TEST(ClassPredictions, OfFloatsAreThoseOfTheSameNumbersInDouble)
{
    const std::vector<float> f{0.25f, 0.75f, 0.5f, 0.5f};
    const std::vector<double> d(f.begin(), f.end());
    EXPECT_EQ(class_predictions(SampleView<float>{f, 2, 1, 2}).entropy,
              class_predictions(SampleView<double>{d, 2, 1, 2}).entropy);
}

TEST(ClassPredictions, FromSumsEqualThoseFromSamples)
{
    const auto p = random_probabilities(4, 3, 2);
    const auto a = class_predictions(SampleView<double>{p, 4, 3, 2});
    const auto b = class_predictions(PredictiveSummary{3, 2, a.mean, a.expected_entropy});
    EXPECT_EQ(a.predicted, b.predicted);
    EXPECT_EQ(a.confidence, b.confidence);
    EXPECT_EQ(a.entropy, b.entropy);
    EXPECT_EQ(a.mutual_information, b.mutual_information);
}

TEST(ClassPredictions, OfBlocksAppendedAreThoseOfTheWhole)
{
    const auto a = predictions_of({0.1, 0.9, 0.4, 0.6}, 2), b = predictions_of({0.7, 0.3}, 2);
    auto both = a;
    append(both, b);
    const auto whole = predictions_of({0.1, 0.9, 0.4, 0.6, 0.7, 0.3}, 2);
    EXPECT_EQ(both.n_inputs, 3);
    EXPECT_EQ(both.mean, whole.mean);
    EXPECT_EQ(both.predicted, whole.predicted);
    EXPECT_EQ(both.entropy, whole.entropy);
    EXPECT_EQ(both.expected_entropy, whole.expected_entropy);
    EXPECT_EQ(both.confidence, whole.confidence);
    EXPECT_EQ(both.mutual_information, whole.mutual_information);
}

TEST(ClassPredictions, TiesGoToTheLowestIndex)
{
    EXPECT_THAT(predictions_of({0.2, 0.4, 0.4}, 3).predicted, ElementsAre(1));
}

TEST(ClassPredictions, EqualSamplesHaveNoMutualInformation)
{
    const std::vector<double> p{0.1, 0.9, 0.1, 0.9, 0.1, 0.9};
    EXPECT_NEAR(class_predictions(SampleView<double>{p, 3, 1, 2}).mutual_information[0], 0, 1e-16);
}

TEST(ClassPredictions, ConfidentSamplesThatDisagreeHaveOnlyMutualInformation)
{
    const std::vector<double> p{1, 0, 0, 1};
    const auto out = class_predictions(SampleView<double>{p, 2, 1, 2});
    EXPECT_DOUBLE_EQ(out.entropy[0], std::log(2));
    EXPECT_EQ(out.expected_entropy[0], 0);
    EXPECT_DOUBLE_EQ(out.mutual_information[0], std::log(2));
}

TEST(ClassPredictions, RejectSizesThatDoNotFit)
{
    const std::vector<double> p(7);
    EXPECT_THAT(
        [&] {
        class_predictions(SampleView<double>{p, 2, 2, 2});
        },
        testing::ThrowsMessage<Error>("Sampled outputs: 7 values do not fit 2 samples × 2 inputs × 2 outputs."));
}

TEST(Scores, APerfectPredictionScoresZeroLossAndOneAccuracy)
{
    const std::vector<int> labels{0, 1};
    const auto s = classification_scores(predictions_of({1, 0, 0, 1}, 2), labels);
    EXPECT_EQ(s.accuracy, 1);
    EXPECT_EQ(s.error, 0);
    EXPECT_EQ(s.nll, 0);
    EXPECT_EQ(s.brier, 0);
    EXPECT_EQ(s.ece, 0);
    EXPECT_EQ(s.mmc, 1);
}

TEST(Scores, TheUniformPredictionCostsLogKNatsAndBrierOneMinusOneOverK)
{
    const int K = 4;
    const std::vector<int> labels{2};
    const auto s = classification_scores(predictions_of(std::vector<double>(K, 0.25), K), labels);
    EXPECT_NEAR(s.nll, std::log(4), 1e-15);
    EXPECT_NEAR(s.brier, 0.75, 1e-15);
    EXPECT_NEAR(s.brier_class_mean, 0.75 / 4, 1e-15);
}

TEST(Scores, AProbabilityOfExactlyZeroForTheTrueClassCostsInfinitelyManyNatsAndIsCounted)
{
    const std::vector<int> labels{1, 0, 1};
    const auto s = classification_scores(predictions_of({1, 0, 0.5, 0.5, 1, 0}, 2), labels);
    EXPECT_EQ(s.nll, INFINITY);
    EXPECT_EQ(s.log_likelihood_sum, -INFINITY);
    EXPECT_EQ(s.impossible, 2);
    EXPECT_NEAR(s.accuracy, 1.0 / 3, 1e-15);
    EXPECT_EQ(classification_scores(predictions_of({1, 0}, 2), std::vector<int>{0}).impossible, 0);
}

TEST(Scores, AConfidentWrongPredictionCostsItsLogitGap)
{
    for (const double gap : {1.0, 88.0, 150.0, 700.0, 1000.0, 1e5}) {
        const auto set = set_predictions(ClassSamples{1, 2, 2, {0, -gap, 0, -gap}, true}, {});
        EXPECT_NEAR(classification_scores(set.classes, std::vector<int>{1, 0}).nll, gap / 2, 1e-9) << gap;
    }
}

TEST(ClassPredictions, OneSampleHasNoEpistemicUncertainty)
{
    EXPECT_EQ(predictions_of({0.123, 0.321, 0.556}, 3).mutual_information[0], 0);
}

TEST(ClassPredictions, EntropyAndConfidenceStayWithinTheirBoundsDespiteRounding)
{
    const auto out = predictions_of({1.00000978, 0, 1, -0.0}, 2);   // as a file may have them
    EXPECT_THAT(out.confidence, ElementsAre(1, 1));
    EXPECT_THAT(out.entropy, ElementsAre(0, 0));
}

TEST(ConfidenceScores, OrderRowsWhoseConfidenceIsOneToTheLastDigit)
{
    std::vector<double> logs;
    for (const double gap : {900.0, 40.0, 37.0, 20.0, 3.0})
        logs.insert(logs.end(), {-std::log1p(std::exp(-gap)), -gap - std::log1p(std::exp(-gap))});
    const auto set    = set_predictions(ClassSamples{1, 5, 2, logs, true}, {}).classes;
    const auto scores = confidence_scores(set);
    EXPECT_EQ(set.confidence[0], set.confidence[1]) << "a double cannot represent the difference";
    EXPECT_TRUE(std::ranges::is_sorted(scores, std::greater<>())) << testing::PrintToString(scores);
    EXPECT_NEAR(scores[0], 900, 1e-9);
    EXPECT_NEAR(scores[4], -std::log(1 - std::exp(-log_add_exp(0, -3.0))), 1e-9);
}

TEST(ConfidenceScores, OfEqualConfidencesAreEqual)
{
    const auto scores = confidence_scores(predictions_of({0.6, 0.1, 0.3, 0.6, 0.15, 0.25, 0.05, 0.35, 0.6}, 3));
    EXPECT_EQ(scores[0], scores[1]);
    EXPECT_EQ(scores[0], scores[2]);
}

TEST(Scores, LogLikelihoodIsMinusNTimesTheMeanNll)
{
    const auto predictions = predictions_of({0.2, 0.8, 0.6, 0.4, 0.5, 0.5}, 2);
    const std::vector<int> labels{1, 1, 0};
    const auto s = classification_scores(predictions, labels);
    EXPECT_NEAR(s.log_likelihood_sum, std::log(0.8) + std::log(0.4) + std::log(0.5), 1e-14);
    EXPECT_NEAR(s.nll, -s.log_likelihood_sum / 3, 1e-14);
}

TEST(Scores, RejectNoPredictionsAndLabelsThatDoNotFit)
{
    EXPECT_THAT([] { classification_scores(predictions_of({}, 2), {}); },
                testing::ThrowsMessage<Error>("Scores: there are no predictions to score."));
    EXPECT_THAT(
        [] {
        nll_each(predictions_of({1, 0}, 2), std::vector<int>{0, 1});
        },
        testing::ThrowsMessage<Error>("Scores: 2 labels for 1 predictions."));
    EXPECT_THAT(
        [] {
        nll_each(predictions_of({1, 0}, 2), std::vector<int>{2});
        },
        testing::ThrowsMessage<Error>("Scores: label 2 found, expected 0 to 1."));
}

TEST(Auroc, IsOneForSeparatedHalfForEqualAndZeroForReversedScores)
{
    EXPECT_EQ(auroc(std::vector<double>{3, 4}, std::vector<double>{1, 2}), 1);
    EXPECT_EQ(auroc(std::vector<double>{1, 1}, std::vector<double>{1}), 0.5);
    EXPECT_EQ(auroc(std::vector<double>{1, 2}, std::vector<double>{3, 4}), 0);
}

TEST(Auroc, IsTheShareOfPairsInOrderWithTiesHalf)
{
    std::vector<double> positive, negative;
    for (int i = 0; i < 40; ++i)
        positive.push_back((i * 7 % 13) / 4.0 + 0.5);
    for (int i = 0; i < 31; ++i)
        negative.push_back((i * 5 % 11) / 4.0);
    double pairs = 0;
    for (const double p : positive)
        for (const double n : negative)
            pairs += p > n ? 1 : p == n ? 0.5 : 0;
    EXPECT_DOUBLE_EQ(auroc(positive, negative), pairs / (40.0 * 31.0));
}

TEST(Auroc, SwappingTheSidesGivesTheComplement)
{
    const std::vector<double> a{0.3, 0.5, 0.5, 0.9}, b{0.1, 0.5, 0.7};
    EXPECT_NEAR(auroc(a, b) + auroc(b, a), 1, 1e-15);
}

TEST(Auroc, RejectsAnEmptySide)
{
    EXPECT_THAT(
        [] { auroc(std::vector<double>{1}, {}); },
        testing::ThrowsMessage<Error>("AUROC: 1 positive and 0 negative scores, expected at least one of each."));
}

TEST(Confusion, RowsAreTrueClassesAndColumnsPredictedOnes)
{
    const auto predictions = predictions_of({0.9, 0.1, 0.2, 0.8, 0.3, 0.7}, 2);
    EXPECT_THAT(confusion_counts(predictions, std::vector<int>{0, 0, 1}), ElementsAre(1, 1, 0, 1));
}
