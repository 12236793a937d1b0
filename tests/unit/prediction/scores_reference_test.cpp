// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/softmax.h"
#include "foundation/statistics.h"
#include "prediction/calibration.h"
#include "prediction/credible.h"
#include "prediction/scores.h"
#include "prediction/set_predictions.h"
#include "reference/formula_numbers.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace credence;

// 1,000 rows in 40 sets against NumPy: tests/reference/scores.py, which describes how inputs are generated.
namespace {

ClassSamples made_samples(const std::string& kind, std::uint64_t seed, int S, int N, int K, double scale)
{
    ClassSamples samples{S, N, K, reference::hash01(seed, static_cast<std::size_t>(S) * N * K), kind == "logits"};
    for (std::size_t first = 0; first < samples.values.size(); first += static_cast<std::size_t>(K)) {
        const auto row = std::span(samples.values).subspan(first, static_cast<std::size_t>(K));
        if (kind == "logits") {
            for (double& z : row)
                z = scale * (2 * z - 1);
            to_log_softmax(row);
        } else if (kind == "votes") {
            const auto voted = static_cast<std::size_t>(K * row[0]);
            std::fill(row.begin(), row.end(), 0);
            row[voted] = 1;
        } else {
            double sum = 0;
            for (double& c : row)
                sum += c = std::floor(4 * c);
            if (sum == 0)
                sum = row[0] = 1;
            for (double& c : row)
                c = kind == "float32" ? static_cast<double>(static_cast<float>(c / sum)) : c / sum;
        }
    }
    for (int s = 0; s < S; ++s)   // every third row is a copy of row 0
        for (int i = 3; i < N; i += 3)
            std::copy_n(samples.values.begin() + std::ptrdiff_t{s} * N * K, K,
                        samples.values.begin() + (std::ptrdiff_t{s} * N + i) * K);
    return samples;
}

void expect_near_numpy(const char* what, double found, const nlohmann::json& expected)
{
    if (expected.is_string())
        EXPECT_EQ(found, INFINITY) << what;
    else
        EXPECT_NEAR(found, expected.get<double>(), 1e-9 * std::max(1.0, std::fabs(expected.get<double>()))) << what;
}

}   // namespace

TEST(ScoresReference, EqualThoseOfNumPyWithTiesAndSaturation)
{
    const auto sets = nlohmann::json::parse(std::ifstream(CREDENCE_REFERENCE_DIR "/scores.json")).at("sets");
    ASSERT_EQ(sets.size(), 40u);
    for (const auto& set : sets) {
        SCOPED_TRACE(set.at("name").get<std::string>());
        const auto kind          = set.at("kind").get<std::string>();
        const std::uint64_t seed = set.at("seed");
        const int S = set.at("S"), N = set.at("N"), K = set.at("K");
        const double scale = set.at("scale");
        const auto& wanted = set.at("expected");
        const auto own     = set_predictions(made_samples(kind, seed, S, N, K, scale), {}).classes;
        const auto ood     = set_predictions(made_samples(kind, seed + 2, S, N, K, 0.8 * scale), {}).classes;
        std::vector<int> labels;
        for (const double u : reference::hash01(seed + 1, static_cast<std::size_t>(N)))
            labels.push_back(static_cast<int>(K * u));
        const auto scores = classification_scores(own, labels);
        double finite_nll = 0;
        for (const double one : nll_each(own, labels))
            finite_nll += std::isfinite(one) ? one : 0;
        expect_near_numpy("nll", scores.nll, wanted.at("nll"));
        EXPECT_EQ(scores.impossible, wanted.at("impossible").get<long>());
        expect_near_numpy("finite nll", finite_nll, wanted.at("finite_nll"));
        expect_near_numpy("accuracy", scores.accuracy, wanted.at("accuracy"));
        expect_near_numpy("brier", scores.brier, wanted.at("brier"));
        expect_near_numpy("ece", scores.ece, wanted.at("ece"));
        expect_near_numpy("mmc", scores.mmc, wanted.at("mmc"));
        expect_near_numpy("entropy", scores.mean_entropy, wanted.at("entropy"));
        expect_near_numpy("expected entropy", scores.mean_expected_entropy, wanted.at("expected_entropy"));
        expect_near_numpy("information", scores.mean_mutual_information, wanted.at("information"));
        expect_near_numpy("auroc", out_of_distribution(own, ood).auroc_confidence, wanted.at("ood_confidence"));
        if (wanted.contains("right_against_wrong")) {
            std::vector<double> right, wrong;
            const auto correct = correct_each(own, labels);
            const auto score   = confidence_scores(own);
            for (std::size_t i = 0; i < score.size(); ++i)
                (correct[i] ? right : wrong).push_back(score[i]);
            expect_near_numpy("right against wrong", auroc(right, wrong), wanted.at("right_against_wrong"));
        }
    }
}

// Values computed apart from this program: tests/reference/metrics.json.
namespace {

const nlohmann::json& metrics_reference()
{
    static const auto json = nlohmann::json::parse(std::ifstream(CREDENCE_REFERENCE_DIR "/metrics.json"));
    return json;
}

std::vector<double> flat(const nlohmann::json& json)
{
    std::vector<double> out;
    if (!json.is_array())
        return {json.is_boolean() ? double(json.get<bool>()) : json.get<double>()};
    for (const auto& part : json)
        for (const double value : flat(part))
            out.push_back(value);
    return out;
}

template <class Actual>
void expect_near(const std::string& name, const Actual& actual, const nlohmann::json& expected)
{
    const auto values = flat(expected);
    ASSERT_EQ(std::size(actual), values.size()) << name;
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(static_cast<double>(actual[i]), values[i], 1e-12 * std::max(1.0, std::fabs(values[i])))
            << name << "[" << i << "]";
}
void expect_value(const std::string& name, double actual, const nlohmann::json& expected)
{
    expect_near(name, std::vector<double>{actual}, expected);
}

CertaintyCounts counts_of(const nlohmann::json& json)
{
    return {json.at("certain_correct"), json.at("certain_wrong"), json.at("uncertain_correct"),
            json.at("uncertain_wrong")};
}

}   // namespace

TEST(MetricsReference, EveryScoreOfEveryCase)
{
    for (const auto& c : metrics_reference().at("cases")) {
        const int S = c.at("S"), N = c.at("N"), K = c.at("K");
        const auto& e     = c.at("expected");
        const auto p      = flat(c.at("probabilities"));
        const auto labels = c.at("labels").get<std::vector<int>>();
        const SampleView<double> samples{p, S, N, K};
        const auto out    = class_predictions(samples);
        const auto scores = classification_scores(out, labels);
        SCOPED_TRACE(c.at("name").get<std::string>());

        expect_near("mean", out.mean, e.at("mean"));
        expect_near("predicted", out.predicted, e.at("predicted"));
        expect_near("confidence", out.confidence, e.at("confidence"));
        expect_near("entropy", out.entropy, e.at("entropy"));
        expect_near("expected_entropy", out.expected_entropy, e.at("expected_entropy"));
        expect_near("mutual_information", out.mutual_information, e.at("mutual_information"));
        expect_near("nll_each", nll_each(out, labels), e.at("nll_each"));
        expect_near("brier_each", brier_each(out, labels), e.at("brier_each"));
        expect_value("accuracy", scores.accuracy, e.at("accuracy"));
        expect_value("error", scores.error, e.at("error"));
        expect_value("nll_mean", scores.nll, e.at("nll_mean"));
        expect_value("log_likelihood_sum", scores.log_likelihood_sum, e.at("log_likelihood_sum"));
        expect_value("brier", scores.brier, e.at("brier"));
        expect_value("brier_class_mean", scores.brier_class_mean, e.at("brier_class_mean"));
        expect_value("mmc", scores.mmc, e.at("mmc"));
        expect_value("mean_entropy", scores.mean_entropy, e.at("mean_entropy"));
        expect_value("ece15", scores.ece, e.at("ece15"));

        const auto correct = correct_each(out, labels);
        std::vector<double> count, hits, confidence;
        for (const auto& bin : reliability_bins(out.confidence, correct)) {
            count.push_back(bin.count);
            hits.push_back(bin.correct);
            confidence.push_back(bin.confidence_sum);
        }
        expect_near("ece_bin_count", count, e.at("ece_bin_count"));
        expect_near("ece_bin_correct", hits, e.at("ece_bin_correct"));
        expect_near("ece_bin_conf_sum", confidence, e.at("ece_bin_conf_sum"));

        for (const auto& expected : e.at("credible")) {
            const auto intervals = credible_intervals(samples, expected.at("alpha"));
            const auto verdict   = certainty(out, intervals);
            SCOPED_TRACE("alpha = " + expected.at("alpha").dump());
            expect_near("lower", intervals.lower, expected.at("lower"));
            expect_near("upper", intervals.upper, expected.at("upper"));
            expect_near("certain_i", verdict.disjoint, expected.at("certain_i"));
            expect_near("certain_ii", verdict.probable, expected.at("certain_ii"));
            EXPECT_EQ(certainty_counts(verdict.disjoint, correct), counts_of(expected.at("table_i")));
            EXPECT_EQ(certainty_counts(verdict.probable, correct), counts_of(expected.at("table_ii")));
        }

        const auto far_p = flat(c.at("ood_probabilities"));
        const auto far   = class_predictions(SampleView<double>{far_p, S, static_cast<int>(far_p.size()) / (S * K), K});
        const auto at    = e.at("entropy_cdf_at").get<std::vector<double>>();
        expect_value("ood_mmc", mean_max_confidence(far), e.at("ood_mmc"));
        expect_near("ood_entropy_cdf", ecdf(far.entropy, at), e.at("ood_entropy_cdf"));
        expect_value("auroc_confidence", auroc(out.confidence, far.confidence), e.at("auroc_confidence"));
        std::vector<double> in_score, far_score;
        for (const double h : out.entropy)
            in_score.push_back(-h);
        for (const double h : far.entropy)
            far_score.push_back(-h);
        expect_value("auroc_entropy", auroc(in_score, far_score), e.at("auroc_entropy"));
    }
}

TEST(MetricsReference, SmallParts)
{
    const auto& q = metrics_reference().at("quantile_type7");
    expect_near("quantile", quantiles(flat(q.at("values")), flat(q.at("p"))), q.at("quantile"));

    const auto& a = metrics_reference().at("auroc_ties");
    expect_value("auroc", auroc(flat(a.at("positive")), flat(a.at("negative"))), a.at("auroc"));

    const auto& small = metrics_reference().at("ece_small");
    std::vector<char> correct;
    for (const double c : flat(small.at("correct")))
        correct.push_back(c != 0);
    const auto bins = reliability_bins(flat(small.at("confidence")), correct);
    std::vector<double> count;
    for (const auto& bin : bins)
        count.push_back(bin.count);
    expect_near("bin_count", count, small.at("bin_count"));
    expect_value("ece15", expected_calibration_error(bins), small.at("ece15"));
}
