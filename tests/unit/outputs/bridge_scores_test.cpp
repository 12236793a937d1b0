// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/bridge_scores.h"

#include "foundation/error.h"
#include "prediction/scores.h"
#include "simplex/logistic_normal.h"
#include "unit/charts/series_of.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

/// n Gaussians over 4 logits; the mean of class i % 4 is `above` the others; one correlated covariance for all.
LogitSet logits(const std::string& name, int n, float above, float scale)
{
    LogitSet set{
        .name = name, .n = n, .K = 4, .mu = {}, .covariance = {}, .labels = {}, .classes = {"a", "b", "c", "d"}};
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 4; ++k)
            set.mu.push_back((k == i % 4 ? above : 0) + 0.1f * std::sin(static_cast<float>(3 * i + k)));
        for (int k = 0; k < 4; ++k)
            for (int l = 0; l < 4; ++l)
                set.covariance.push_back(scale * (k == l ? 1.0f + 0.2f * static_cast<float>(k) : 0.3f));
        set.labels.push_back(i % 5 == 0 ? (i + 1) % 4 : i % 4);   // a fifth is wrong
    }
    return set;
}

SetByMethods methods_of(const LogitSet& set, BridgeScoresOptions options = {}) { return *by_methods(set, options); }

LogitGaussian gaussian(const LogitSet& set, std::size_t i)
{
    const auto at = [](const std::vector<float>& from, std::size_t first, std::size_t n) {
        return std::vector<double>(from.begin() + static_cast<std::ptrdiff_t>(first),
                                   from.begin() + static_cast<std::ptrdiff_t>(first + n));
    };
    return LogitGaussian::from_covariance(at(set.mu, 4 * i, 4), at(set.covariance, 16 * i, 16));
}

const MethodOnSet& method(const SetByMethods& set, std::string_view name)
{
    for (const auto& w : set.methods)
        if (w.name == name)
            return w;
    throw Error("no method " + std::string(name));
}

}   // namespace

TEST(ByMethods, TheBridgeIsTheLibrarysForEveryVariant)
{
    const auto set  = logits("own", 40, 3, 0.7f);
    const auto made = methods_of(set);
    for (const auto variant : bridge_variants) {
        std::string wanted = std::string("Laplace Bridge, ") + name(variant);
        std::ranges::replace(wanted, '_', ' ');
        const auto& here = method(made, wanted);
        EXPECT_TRUE(here.bridge);
        for (std::size_t i = 0; i < 40; ++i) {
            const auto mean = bridge(gaussian(set, i), variant).mean();
            const auto top  = std::max_element(mean.begin(), mean.end());
            EXPECT_NEAR(here.confidence[i], *top, 1e-5) << wanted << ", input " << i;
            EXPECT_EQ(here.predicted[i], top - mean.begin()) << wanted << ", input " << i;
        }
    }
}

TEST(ByMethods, DrawsApproachTheExactMean)
{
    const auto set   = logits("own", 6, 2, 1.5f);
    const auto drawn = method(methods_of(set, {.n_draws = 20000}), "20,000 samples of the logits");
    for (std::size_t i = 0; i < 6; ++i) {
        const auto mean = expectations(gaussian(set, i), {}).mean;
        EXPECT_NEAR(drawn.confidence[i], *std::max_element(mean.begin(), mean.end()), 0.01)
            << "input " << i;   // 4 standard errors of 0.35/√20000
    }
}

TEST(ByMethods, MeanWeightsAndProbitAreSoftmaxes)
{
    const auto set  = logits("own", 9, 2, 0.5f);
    const auto made = methods_of(set);
    for (std::size_t i = 0; i < 9; ++i) {
        const auto z = gaussian(set, i);
        const auto p = softmax(z.mu()), probit = probit_mean(z);
        EXPECT_NEAR(method(made, "Mean weights alone (MAP)").confidence[i], *std::max_element(p.begin(), p.end()),
                    1e-6);
        EXPECT_NEAR(method(made, "Probit approximation").confidence[i], *std::max_element(probit.begin(), probit.end()),
                    1e-6);
    }
}

TEST(ByMethods, VarianceAndProposition1AreTheDirichletsOfTheVariant)
{
    auto set = logits("own", 30, 1, 2);
    for (std::size_t i = 0; i < set.mu.size(); ++i)
        set.mu[i] *= 0.2f * static_cast<float>(i / 4 % 10);   // from flat to confident
    for (const auto variant : {BridgeVariant::plain, BridgeVariant::projected}) {
        const auto made = methods_of(set, {.variant = variant});
        int fulfilled   = 0;
        for (std::size_t i = 0; i < 30; ++i) {
            const auto distribution = bridge(gaussian(set, i), variant).dirichlet();
            const auto mean         = distribution.mean();
            const auto top = static_cast<std::size_t>(std::max_element(mean.begin(), mean.end()) - mean.begin());
            EXPECT_EQ(made.predicted[i], static_cast<int>(top));
            EXPECT_NEAR(made.variance[i], distribution.variance()[top], 1e-6);
            fulfilled += proposition1_holds(distribution)[top];
        }
        EXPECT_GT(fulfilled, 0);
        EXPECT_LT(fulfilled, 30);
        EXPECT_DOUBLE_EQ(made.proposition1, fulfilled / 30.0) << name(variant);
    }
}

TEST(ByMethods, LogitsWithAlphaOutsideTheFloatRangeUseLogarithms)
{
    auto set          = logits("sure", 5, 200, 1e-3f);
    const auto made   = methods_of(set);
    const auto& plain = method(made, "Laplace Bridge, plain");
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_FLOAT_EQ(plain.confidence[i], 1);
        EXPECT_EQ(plain.predicted[i], static_cast<int>(i % 4));
        EXPECT_EQ(made.variance[i], 0);
    }
    EXPECT_EQ(made.proposition1, 1);
}

TEST(ByMethods, StopOnRequest)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(by_methods(logits("own", 5, 1, 1), {}, source.get_token()));
}

TEST(ByMethods, RejectSizesThatDoNotFit)
{
    auto set = logits("half a set", 5, 1, 1);
    set.mu.pop_back();
    EXPECT_THAT([&] { by_methods(set, {}); },
                testing::ThrowsMessage<Error>(
                    "Sampling and bridge: half a set has 19 mean logits and 80 covariances, expected 20 and 80."));
}

TEST(BridgeScores, AreTheScoresOfEachMethod)
{
    const std::vector<SetByMethods> sets{methods_of(logits("own", 60, 4, 0.3f)),
                                         methods_of(logits("foreign", 40, 0.5f, 3))};
    const auto scores = bridge_scores(sets, {"a", "b", "c", "d"}, {});
    ASSERT_EQ(scores.methods.size(), 8u);
    for (std::size_t w = 0; w < scores.methods.size(); ++w) {
        const auto &own = sets[0].methods[w].score, &ood = sets[1].methods[w].score;
        double sum = 0;
        for (const float c : sets[1].methods[w].confidence)
            sum += static_cast<double>(c);
        EXPECT_NEAR(scores.methods[w].mmc[1], sum / 40, 1e-12);
        EXPECT_DOUBLE_EQ(scores.methods[w].auroc.at(0), auroc(own, ood));
        EXPECT_GT(scores.methods[w].auroc[0], 0.9);
        EXPECT_NEAR(*scores.methods[w].accuracy, 0.8, 1e-12) << scores.methods[w].name;
        EXPECT_DOUBLE_EQ(
            scores.methods[w].seconds,
            100 * (sets[0].methods[w].seconds + sets[1].methods[w].seconds));   // of 100 inputs, for 10,000
    }
    EXPECT_GT(scores.mean_variance[1], scores.mean_variance[0]);
}

TEST(BridgeScores, BarsAreTheMeanVarianceOfEachClass)
{
    const std::vector<SetByMethods> sets{methods_of(logits("own", 20, 4, 0.3f))};
    const auto scores = bridge_scores(sets, {"a", "b", "c", "d"}, {});
    for (int k = 0; k < 4; ++k) {
        double by_true = 0, by_predicted = 0;
        int n_true = 0, n_predicted = 0;
        for (std::size_t i = 0; i < 20; ++i) {
            if (sets[0].labels[i] == k) {
                by_true += sets[0].variance[i];
                ++n_true;
            }
            if (sets[0].predicted[i] == k) {
                by_predicted += sets[0].variance[i];
                ++n_predicted;
            }
        }
        EXPECT_NEAR(scores.by_true.at(0).mean[static_cast<std::size_t>(k)], by_true / n_true, 1e-9);
        EXPECT_NEAR(scores.by_predicted.at(0).mean[static_cast<std::size_t>(k)], by_predicted / n_predicted, 1e-9);
    }
}

TEST(BridgeScores, TheRatioInTheTableIsMeasured)
{
    std::vector<SetByMethods> sets{methods_of(logits("own", 20, 4, 0.3f))};
    for (auto& w : sets[0].methods)
        w.seconds = w.bridge ? 0.002 : 1.0;
    const auto scores = bridge_scores(sets, {"a", "b", "c", "d"}, {});
    EXPECT_DOUBLE_EQ(*speed_ratio(scores), 500);
    const auto chart = to_chart(scores);
    EXPECT_THAT(chart.caption, HasSubstr("500 times as fast as 1000 samples"));
    EXPECT_DOUBLE_EQ(*draws_for_one_bridge(scores), 2);
    EXPECT_THAT(chart.caption, HasSubstr("One plain bridge took as long as 2 samples of the same Gaussian"));
    const auto& table = *chart.table;
    EXPECT_EQ(table.columns.back().name, "Times as fast as sampling");
    bool found = false;
    for (const auto& row : table.rows)
        if (std::get<std::string>(row[0]) == "Laplace Bridge, plain") {
            found = true;
            EXPECT_DOUBLE_EQ(std::get<double>(row.back()), 500);
            EXPECT_DOUBLE_EQ(std::get<double>(row[row.size() - 2]), 1000);   // 0.002 s for 20 inputs: 1 s for 10,000
        }
    EXPECT_TRUE(found);
}

TEST(BridgeScores, ChartHasAColumnPairForEachOodSetAndBarsOfBothKinds)
{
    auto ood    = logits("letters", 12, 0.5f, 3);
    ood.classes = {"A", "B", "C", "D"};
    const std::vector<SetByMethods> sets{methods_of(logits("own", 20, 4, 0.3f)), methods_of(ood)};
    const auto chart = to_chart(bridge_scores(sets, {"a", "b", "c", "d"}, {}));
    std::vector<std::string> columns;
    for (const auto& column : chart.table->columns)
        columns.push_back(column.name);
    EXPECT_THAT(columns, testing::ElementsAre("Method", "MMC, own", "Accuracy", "MMC, letters", "AUROC, letters",
                                              "Time for 10,000 inputs", "Times as fast as sampling"));
    for (const auto& row : chart.table->rows)
        EXPECT_EQ(row.size(), columns.size());
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_THAT(chart.panels[0].x.categories, testing::ElementsAre("a", "b", "c", "d", "A", "B", "C", "D"));
    EXPECT_THAT(chart.panels[1].x.categories, testing::ElementsAre("a", "b", "c", "d"));
    EXPECT_EQ(series_of<Bars>(chart.panels[0]).size(), 2u);
}

TEST(BridgeScores, OfNothingAreRejected)
{
    EXPECT_THAT([] { bridge_scores({}, {}, {}); },
                testing::ThrowsMessage<Error>("Sampling and bridge: there are no inputs, expected at least one."));
}
