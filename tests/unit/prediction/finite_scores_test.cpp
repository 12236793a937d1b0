// SPDX-License-Identifier: GPL-3.0-or-later
// No score is computed from non-finite numbers: NaN does not equal itself, so loops over ties would never end.
#include "foundation/error.h"
#include "foundation/statistics.h"
#include "network/network.h"
#include "prediction/calibration.h"
#include "prediction/credible.h"
#include "prediction/regression.h"
#include "prediction/scores.h"
#include "prediction/set_predictions.h"
#include "unit/families.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace credence;
using testing::HasSubstr;
using testing::ThrowsMessage;

namespace {

using Numbers              = std::vector<double>;
using Marks                = std::vector<char>;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN(),
                 infinity  = std::numeric_limits<double>::infinity();

/// Two inputs of two classes, one of whose numbers is `bad`, put there by hand.
ClassPredictions spoiled(double bad)
{
    return {.n_inputs           = 2,
            .n_classes          = 2,
            .mean               = {0.3, 0.7, bad, 0.6},
            .predicted          = {1, 1},
            .confidence         = {0.7, bad},
            .log_rest           = {std::log(0.3), std::log(0.4)},
            .entropy            = {0.6, bad},
            .expected_entropy   = {0.5, bad},
            .mutual_information = {0.1, bad}};
}
ClassPredictions whole() { return spoiled(0.4); }

struct Score {
    const char* name;
    std::function<void(double)> of;   ///< computed of numbers of which one is this
};

const std::vector<int> labels{1, 0};

const std::vector<Score> scores{
    {"auroc, positive",
     [](double x) {
    auroc(Numbers{0.1, x}, Numbers{0.2});
     }},
    {"auroc, negative",
     [](double x) {
    auroc(Numbers{0.1}, Numbers{0.2, x});
     }},
    {"roc",
     [](double x) {
    roc_curve(Numbers{0.1, x}, Marks{1, 0});
     }},
    {"one against all", [](double x) { one_against_all(spoiled(x), labels); }},
    {"rejection",
     [](double x) {
    rejection_curve(Numbers{0.1, x}, Marks{1, 0});
     }},
    {"reliability",
     [](double x) {
    reliability_bins(Numbers{0.1, x}, Marks{1, 0});
     }},
    {"nll", [](double x) { nll_each(spoiled(x), labels); }},
    {"brier", [](double x) { brier_each(spoiled(x), labels); }},
    {"mmc", [](double x) { mean_max_confidence(spoiled(x)); }},
    {"classification scores", [](double x) { classification_scores(spoiled(x), labels); }},
    {"out of distribution, in", [](double x) { out_of_distribution(spoiled(x), whole()); }},
    {"out of distribution, out", [](double x) { out_of_distribution(whole(), spoiled(x)); }},
    {"certainty",
     [](double x) {
    certainty(spoiled(x), {.n_inputs = 2, .n_outputs = 2, .lower = {0, 0, 0, 0}, .upper = {1, 1, 1, 1}});
     }},
    {"quantile",
     [](double x) {
    quantile(Numbers{0.1, x}, 0.5);
     }},
    {"ecdf",
     [](double x) {
    ecdf(Numbers{0.1, x}, Numbers{0.5});
     }},
    {"coverage", [](double x) { coverage(Numbers{0}, Numbers{1}, Numbers{x}); }},
    {"mixture quantile",
     [](double x) {
    mixture_quantile(*normal_noise(), Numbers{0.1, x}, Numbers{1, 1}, 0.5);
     }},
    {"regression nll, f",
     [](double x) {
    regression_nll_each({1, 1, {x}, {1}}, Numbers{0.5});
     }},
    {"regression nll, noise",
     [](double x) {
    regression_nll_each({1, 1, {0.1}, {x}}, Numbers{0.5});
     }},
    {"regression scores",
     [](double x) {
    regression_scores({1, 1, {x}, {1}}, Numbers{0.5});
     }},
    {"regression scores, target",
     [](double x) {
    regression_scores({1, 1, {0.1}, {1}}, Numbers{x});
     }},
    {"predictions of draws",
     [](double x) {
    class_predictions(SampleView<double>{Numbers{0.5, x}, 1, 1, 2});
     }},
    {"predictions of sums",
     [](double x) {
    class_predictions(PredictiveSummary{1, 2, {0.5, x}, {0.1}});
     }},
    {"credible intervals",
     [](double x) {
    credible_intervals(SampleView<double>{Numbers{0.5, x}, 1, 1, 2}, 0.9);
     }},
    {"regression draws",
     [](double x) {
    regression_samples(SampleView<double>{Numbers{0.5, x}, 1, 1, 2}, Likelihood::gaussian(1));
     }},
    };

}   // namespace

TEST(EveryScore, RejectsANumberThatIsNaN)
{
    for (const Score& score : scores) {
        EXPECT_NO_THROW(score.of(0.5)) << score.name;
        EXPECT_THROW(score.of(nan_value), Error) << score.name;
    }
}

TEST(EveryScore, StatesWhichNumberItIs)
{
    EXPECT_THAT(
        [] {
        auroc(Numbers{0.1, nan_value}, Numbers{0.2});
        },
        ThrowsMessage<Error>("AUROC: positive score 1 is nan, expected a number."));
    EXPECT_THAT([] { auroc(Numbers{0.1}, Numbers{nan_value}); },
                ThrowsMessage<Error>("AUROC: negative score 0 is nan, expected a number."));
    EXPECT_THAT(
        [] {
        rejection_curve(Numbers{0.1, nan_value}, Marks{1, 0});
        },
        ThrowsMessage<Error>("Rejection curve: uncertainty 1 is nan, expected a number."));
    EXPECT_THAT([] { reliability_bins(Numbers{infinity}, Marks{1}); },
                ThrowsMessage<Error>("Reliability bins: confidence 0 is inf, expected a finite number."));
    EXPECT_THAT([] { mean_max_confidence(spoiled(-infinity)); },
                ThrowsMessage<Error>("Mean confidence: confidence 1 is -inf, expected a finite number."));
    EXPECT_THAT(
        [] {
        class_predictions(PredictiveSummary{2, 2, {0.5, 0.5, 0.1, nan_value}, {0.1, 0.1}});
        },
        ThrowsMessage<Error>(
            "Predictions: the mean over the samples is nan for output 1 of input 1, expected finite numbers."));
}

TEST(Auroc, RanksInfiniteScoresLikeAnyOther)
{
    EXPECT_EQ(auroc(Numbers{infinity, 0.5}, Numbers{-infinity, 0.5}), 0.875);
}

TEST(Predictions, NameSampleOutputAndInputOfAValueThatIsNotFinite)
{
    std::vector<float> p(3 * 4 * 2, 0.5f);   // [S × N × K]
    p[(2 * 4 + 3) * 2 + 1] = std::numeric_limits<float>::infinity();
    const SampleView<float> draws{p, 3, 4, 2};
    const ClassSamples samples{3, 4, 2, {p.begin(), p.end()}, false};
    const char* const sentence = "Predictions: sample 2 gives inf for output 1 of input 3, expected finite numbers.";
    const double level         = 0.9;
    EXPECT_THAT([&] { class_predictions(draws); }, ThrowsMessage<Error>(sentence));
    EXPECT_THAT([&] { set_predictions(samples, {&level, 1}); }, ThrowsMessage<Error>(sentence));
    EXPECT_THAT([&] { row_predictions(samples, level); }, ThrowsMessage<Error>(sentence));
    EXPECT_THAT([&] { credible_intervals(draws, level); }, ThrowsMessage<Error>(sentence));
    EXPECT_THAT([&] { regression_samples(draws, Likelihood::gaussian(1)); }, ThrowsMessage<Error>(sentence));
}

TEST(Predictions, OfAStreamedSetNameTheInputByItsIndexInTheSet)
{
    const Model model{.architecture = mlp(2, {}, 3), .likelihood = Likelihood::categorical()};
    const auto layout = layout_of(model.architecture);
    const PosteriorPredictive predictive(
        model, make_posterior<float>(layout, {.family = "mean_field"}, initial_weights(layout, Initialisation::he, 1)),
        5, 1);
    std::vector<float> inputs(2 * 40, 0.1f);
    for (float& x : std::span(inputs).subspan(2 * 33, 2))
        x = std::numeric_limits<float>::quiet_NaN();
    const double level = 0.9;
    // Blocks of few rows: the input is the 33rd of the set, not of its block
    EXPECT_THAT(
        [&] {
        set_predictions(predictive, inputs, 2, {&level, 1}, {}, 120);
        },
        ThrowsMessage<Error>(HasSubstr("of input 33, expected finite numbers.")));
    EXPECT_THAT([&] { row_predictions(predictive, inputs, 2, level, {}, {}, 120); },
                ThrowsMessage<Error>(HasSubstr("of input 33, expected finite numbers.")));
}
