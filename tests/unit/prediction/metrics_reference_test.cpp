// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/calibration.h"
#include "prediction/credible.h"
#include "prediction/quantiles.h"
#include "prediction/scores.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace credence;

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
