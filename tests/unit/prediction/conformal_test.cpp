// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/conformal.h"

#include "foundation/error.h"
#include "foundation/softmax.h"
#include "random/noise.h"
#include "reference/formula_numbers.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

namespace {

const std::map<std::string, ConformalScore> conformal_names{{"thr", ConformalScore::thr},
                                                            {"aps", ConformalScore::aps},
                                                            {"raps", ConformalScore::raps},
                                                            {"absolute", ConformalScore::absolute},
                                                            {"normalised", ConformalScore::normalised},
                                                            {"cqr", ConformalScore::cqr}};

double conformal_number(const nlohmann::json& value) { return value.is_string() ? INFINITY : value.get<double>(); }

std::vector<std::vector<double>> made_probabilities(std::uint64_t seed, std::size_t n)
{
    constexpr std::size_t K = 5;
    const auto u            = reference::hash01(seed, n * K);
    std::vector<std::vector<double>> rows(n, std::vector<double>(K));
    for (std::size_t i = 0; i < n * K; ++i)
        rows[i / K][i % K] = 4 * (2 * u[i] - 1);
    for (auto& row : rows)
        to_softmax(row);
    return rows;
}

std::size_t class_drawn(const std::vector<double>& p, double u)
{
    double sum = 0;
    for (std::size_t k = 0; k + 1 < p.size(); ++k)
        if ((sum += p[k]) > u)
            return k;
    return p.size() - 1;
}

/// Standard normal scores of 100 calibration rows and 50 new ones in each of 500 splits: the share covered.
double simulated_coverage(const std::function<double(double x, double z)>& score, double level)
{
    std::vector<double> x(150), z(150), scores(100);
    long covered = 0;
    for (std::uint32_t split = 0; split < 500; ++split) {
        uniforms({split, Stream::data, 1}, 0, std::span(x));
        standard_normals({split, Stream::data, 2}, 0, std::span(z));
        for (std::size_t i = 0; i < 100; ++i)
            scores[i] = score(x[i], z[i]);
        std::sort(scores.begin(), scores.end());
        const double limit = conformal_quantile(scores, level);
        for (std::size_t i = 100; i < 150; ++i)
            covered += score(x[i], z[i]) <= limit ? 1 : 0;
    }
    return static_cast<double>(covered) / (500 * 50);
}

}   // namespace

TEST(Conformal, TheThresholdIsTheScoreOfTheFiniteSampleRank)
{
    std::vector<double> scores(99);
    for (std::size_t i = 0; i < scores.size(); ++i)
        scores[i] = static_cast<double>(i + 1);
    EXPECT_EQ(conformal_quantile(scores, 0.9), 90);
    EXPECT_EQ(conformal_quantile(scores, 0.55), 55);   // (n + 1) level is 55.00000000000001 in double
    EXPECT_EQ(conformal_quantile(scores, 0.901), 91);
    EXPECT_EQ(conformal_quantile(scores, 0.99), 99);
    EXPECT_EQ(conformal_quantile(scores, 0.995), INFINITY);
    EXPECT_EQ(conformal_quantile({}, 0.5), INFINITY);
    EXPECT_THAT([&] { conformal_quantile(scores, 1); },
                ThrowsMessage<Error>(HasSubstr("expected a number between 0 and 1")));
}

TEST(Conformal, ThresholdIsInfiniteWithFewerRowsThanTheLevelNeeds)
{
    EXPECT_EQ(fewest_calibration_rows(0.5), 1u);
    EXPECT_EQ(fewest_calibration_rows(0.9), 9u);
    EXPECT_EQ(fewest_calibration_rows(0.95), 19u);
    EXPECT_EQ(fewest_calibration_rows(0.99), 99u);
    for (const double level : {0.01, 0.3, 0.8, 0.95, 0.999}) {
        const std::vector<double> enough(fewest_calibration_rows(level), 1.0);
        EXPECT_EQ(conformal_quantile(enough, level), 1) << level;
        EXPECT_EQ(conformal_quantile(std::span(enough).first(enough.size() - 1), level), INFINITY) << level;
    }
}

TEST(Conformal, ScoresOfClassesFollowTheirFormulas)
{
    const std::vector<double> p{0.2, 0.5, 0.3};
    using testing::DoubleEq;
    EXPECT_THAT(class_conformal_scores({.score = ConformalScore::thr}, p), ElementsAre(DoubleEq(0.8), 0.5, 0.7));
    EXPECT_THAT(class_conformal_scores({.score = ConformalScore::aps}, p), ElementsAre(DoubleEq(1), 0.5, 0.8));
    EXPECT_THAT(class_conformal_scores({.score = ConformalScore::aps}, p, 0.5), ElementsAre(DoubleEq(0.9), 0.25, 0.65));
    EXPECT_THAT(class_conformal_scores({.score = ConformalScore::raps, .penalty = 0.1, .free_classes = 1}, p),
                ElementsAre(DoubleEq(1.2), 0.5, DoubleEq(0.9)));
    EXPECT_THAT([&] { class_conformal_scores({.score = ConformalScore::cqr}, p); },
                ThrowsMessage<Error>(HasSubstr("expected thr, aps or raps")));
}

TEST(Conformal, SetsGrowWithTheThresholdAndAreNeverEmptyWithoutRandomNumbers)
{
    const std::vector<double> p{0.1, 0.7, 0.2}, infinite{INFINITY}, low{0.3}, by_class{1, 0, 1};
    for (const auto score : {ConformalScore::thr, ConformalScore::aps, ConformalScore::raps})
        EXPECT_THAT(conformal_set({.score = score}, p, infinite), ElementsAre(0, 1, 2));
    EXPECT_THAT(conformal_set({.score = ConformalScore::aps}, p, low), ElementsAre(1));
    EXPECT_THAT(conformal_set({.score = ConformalScore::aps, .randomised = true}, p, low, 0.9), ElementsAre());
    EXPECT_THAT(conformal_set({.score = ConformalScore::thr}, p, by_class), ElementsAre(0, 2));
}

TEST(Conformal, TheRandomFractionOfAnInputIsTheSameInEveryView)
{
    const ConformalOptions options{.score = ConformalScore::aps, .randomised = true};
    const std::vector<float> a{1, 2}, b{2, 1};
    EXPECT_EQ(conformal_share(options, 7, a), conformal_share(options, 7, a));
    EXPECT_NE(conformal_share(options, 7, a), conformal_share(options, 7, b));
    EXPECT_NE(conformal_share(options, 7, a), conformal_share(options, 8, a));
    EXPECT_EQ(conformal_share({.score = ConformalScore::aps}, 7, a), 1);
    double sum = 0;   // uniform: the mean of 2,000 shares is ½ within four standard errors
    for (int i = 0; i < 2000; ++i)
        sum += conformal_share(options, 7, std::vector<float>{static_cast<float>(i)});
    EXPECT_NEAR(sum / 2000, 0.5, 4 * std::sqrt(1 / 12.0 / 2000));
}

TEST(Conformal, IntervalsContainExactlyTheTargetsWithScoresUpToTheThreshold)
{
    const PredictedNumber predicted{.mean = 2, .sd = 0.5, .lower = 1, .upper = 2.5};
    for (const auto score : {ConformalScore::absolute, ConformalScore::normalised, ConformalScore::cqr})
        for (const double limit : {0.25, 1.0, 3.0}) {
            const auto [low, high] = conformal_interval(score, predicted, limit);
            for (double y = -4; y < 8; y += 0.0625)
                EXPECT_EQ(low <= y && y <= high, number_conformal_score(score, predicted, y) <= limit) << y;
        }
    EXPECT_EQ(conformal_interval(ConformalScore::cqr, predicted, -1), std::pair(1.75, 1.75));
    EXPECT_EQ(conformal_interval(ConformalScore::cqr, predicted, INFINITY),
              (std::pair<double, double>(-INFINITY, INFINITY)));
}

TEST(Conformal, APredictionWithoutSpreadHasAnInfiniteScoreUnlessItIsExact)
{
    const PredictedNumber certain{.mean = 2};
    EXPECT_EQ(number_conformal_score(ConformalScore::normalised, certain, 2), 0);
    EXPECT_EQ(number_conformal_score(ConformalScore::normalised, certain, 2.5), INFINITY);
}

TEST(Conformal, ThresholdsAndSetsEqualThoseOfNumPy)
{
    const auto all = nlohmann::json::parse(std::ifstream(CREDENCE_REFERENCE_DIR "/conformal.json"));
    const auto p = made_probabilities(1, 203), q = made_probabilities(2, 60);
    const auto draw = reference::hash01(3, 203), u = reference::hash01(4, 203), v = reference::hash01(5, 60);
    ASSERT_EQ(all.at("classes").size(), 25u);
    for (const auto& wanted : all.at("classes")) {
        SCOPED_TRACE(wanted.dump());
        const ConformalOptions options{.score      = conformal_names.at(wanted.at("score")),
                                       .randomised = wanted.at("randomised")};
        std::vector<double> scores;
        for (std::size_t i = 0; i < p.size(); ++i)
            scores.push_back(
                class_conformal_scores(options, p[i], options.randomised ? u[i] : 1).at(class_drawn(p[i], draw[i])));
        std::sort(scores.begin(), scores.end());
        const double limit = conformal_quantile(scores, wanted.at("level"));
        const double found = conformal_number(wanted.at("threshold"));
        if (std::isinf(found))
            EXPECT_EQ(limit, found);
        else
            EXPECT_NEAR(limit, found, 1e-12);
        std::vector<int> sizes;
        for (std::size_t i = 0; i < q.size(); ++i)
            sizes.push_back(static_cast<int>(
                conformal_set(options, q[i], std::span(&limit, 1), options.randomised ? v[i] : 1).size()));
        EXPECT_EQ(sizes, wanted.at("sizes").get<std::vector<int>>());
    }
}

TEST(Conformal, IntervalsEqualThoseOfNumPy)
{
    const auto all = nlohmann::json::parse(std::ifstream(CREDENCE_REFERENCE_DIR "/conformal.json"));
    const auto a = reference::hash01(6, 203), b = reference::hash01(7, 203), c = reference::hash01(8, 203);
    std::vector<PredictedNumber> rows;
    std::vector<double> y;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double mean = 2 * a[i] - 1, sd = 0.2 + b[i];
        rows.push_back({mean, sd, mean - 1.3 * sd, mean + 1.3 * sd});
        y.push_back(mean + sd * (3 * c[i] - 1));
    }
    ASSERT_EQ(all.at("numbers").size(), 15u);
    for (const auto& wanted : all.at("numbers")) {
        SCOPED_TRACE(wanted.dump());
        const auto score = conformal_names.at(wanted.at("score"));
        std::vector<double> scores;
        for (std::size_t i = 0; i < y.size(); ++i)
            scores.push_back(number_conformal_score(score, rows[i], y[i]));
        std::sort(scores.begin(), scores.end());
        const double limit = conformal_quantile(scores, wanted.at("level"));
        double width       = 0;
        for (const auto& row : rows) {
            const auto [low, high] = conformal_interval(score, row, limit);
            width += (high - low) / static_cast<double>(rows.size());
        }
        if (const double found = conformal_number(wanted.at("threshold")); std::isinf(found)) {
            EXPECT_EQ(limit, found);
            EXPECT_EQ(width, INFINITY);
        } else {
            EXPECT_NEAR(limit, found, 1e-12);
            EXPECT_NEAR(width, conformal_number(wanted.at("width")), 1e-12);
        }
    }
}

/// Averaged over splits, coverage is ⌈(n + 1) level⌉/(n + 1) for any prediction: 0.9 + 0.1/101 for 100 rows. Rows
/// of one split share a threshold, so that the standard error is that of 500 thresholds and 25,000 rows.
TEST(Conformal, IntervalsAtNinetyPercentCoverNinetyPercentOverExchangeableSplits)
{
    const double expected = std::ceil(101 * 0.9) / 101;
    const double error    = std::sqrt(expected * (1 - expected) * (1 / (500 * 102.0) + 1 / (500 * 50.0)));
    EXPECT_NEAR(simulated_coverage([](double, double z) { return std::abs(z); }, 0.9), expected, 3.3 * error);
    EXPECT_NEAR(simulated_coverage([](double x, double z) { return std::abs(z * x - 0.3) / (0.1 + x); }, 0.9), expected,
                3.3 * error);
    EXPECT_NEAR(simulated_coverage(
                    [](double x, double z) {   // two classes, label by z
        const double p = 1 / (1 + std::exp(3 - 6 * x));
        return class_conformal_scores({.score = ConformalScore::thr}, std::vector<double>{p, 1 - p}).at(z > 2 * x - 1);
                    },
                    0.9),
                expected, 3.3 * error);
}
