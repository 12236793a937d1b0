// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/ood.h"
#include "prediction/scores.h"
#include "prediction/set_predictions.h"

#include "foundation/softmax.h"
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
        const auto foreign = set_predictions(made_samples(kind, seed + 2, S, N, K, 0.8 * scale), {}).classes;
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
        expect_near_numpy("auroc", out_of_distribution(own, foreign).auroc_confidence, wanted.at("ood_confidence"));
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
