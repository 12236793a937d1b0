// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"

#include "foundation/statistics.h"
#include "prediction/calibration.h"
#include "prediction/credible.h"
#include "prediction/scores.h"

namespace credence::reference {
namespace {

constexpr Tolerance metrics_usual{1e-12, 1e-12};

std::vector<char> flags(const Json& json)
{
    std::vector<char> out;
    for (const double v : numbers(json))
        out.push_back(v != 0);
    return out;
}

struct BinColumns {
    std::vector<double> count, correct, confidence;
};
BinColumns columns_of(const std::vector<ReliabilityBin>& bins)
{
    BinColumns columns;
    for (const ReliabilityBin& bin : bins) {
        columns.count.push_back(static_cast<double>(bin.count));
        columns.correct.push_back(static_cast<double>(bin.correct));
        columns.confidence.push_back(bin.confidence_sum);
    }
    return columns;
}

void check_counts(Case& check, const Json& expected, const std::string& key, const CertaintyCounts& got)
{
    if (!expected.contains(key))
        return;
    const auto same = [&](const char* cell, long value) {
        if (expected.at(key).contains(cell))
            check.relative_to(key + "." + cell, static_cast<double>(value), expected.at(key).at(cell), 0, {0, 0});
    };
    same("certain_correct", got.certain_correct);
    same("uncertain_correct", got.uncertain_correct);
    same("certain_wrong", got.certain_wrong);
    same("uncertain_wrong", got.uncertain_wrong);
}

}   // namespace

void check_metrics(const Json& values, const std::string& name, Report& report)
{
    const auto p                  = numbers(values.at("probabilities"));
    const int S                   = static_cast<int>(values.at("probabilities").size()),
              N                   = static_cast<int>(values.at("probabilities").at(0).size());
    const int K                   = static_cast<int>(values.at("probabilities").at(0).at(0).size());
    const std::vector<int> labels = values.at("labels");
    const SampleView<double> samples{p, S, N, K};
    const ClassPredictions out        = class_predictions(samples);
    const ClassificationScores scores = classification_scores(out, labels);
    const std::vector<char> correct   = correct_each(out, labels);
    const Json& expected              = values.at("expected");
    {
        Case check(report, name, expected, metrics_usual);
        check.near("mean", out.mean);
        check.exact("predicted", out.predicted);
        check.near("accuracy", scores.accuracy);
        check.near("error", scores.error);
        check.near("confidence", out.confidence);
        check.near("mmc", scores.mmc);
        check.near("entropy", out.entropy);
        check.near("expected_entropy", out.expected_entropy);
        check.near("mutual_information", out.mutual_information);
        check.near("mean_entropy", scores.mean_entropy);
        check.near("nll_each", nll_each(out, labels));
        check.near("nll_mean", scores.nll);
        check.near("log_likelihood_sum", scores.log_likelihood_sum);
        check.near("brier_each", brier_each(out, labels));
        check.near("brier", scores.brier);
        check.near("brier_class_mean", scores.brier_class_mean);
        check.near("ece15", scores.ece);
        const BinColumns bins = columns_of(reliability_bins(out.confidence, correct, 15));
        check.exact("ece_bin_count", bins.count);
        check.near("ece_bin_conf_sum", bins.confidence);
        check.exact("ece_bin_correct", bins.correct);
        if (values.contains("ood_probabilities")) {
            const auto far_p           = numbers(values.at("ood_probabilities"));
            const ClassPredictions far = class_predictions(
                SampleView<double>{far_p, S, static_cast<int>(values.at("ood_probabilities").at(0).size()), K});
            const OutOfDistribution apart = out_of_distribution(out, far);
            check.near("ood_mmc", apart.mmc_out);
            check.near("auroc_confidence", apart.auroc_confidence);
            check.near("auroc_entropy", apart.auroc_entropy);
            if (check.wants("entropy_cdf_at"))
                check.near("ood_entropy_cdf", ecdf(far.entropy, numbers(expected.at("entropy_cdf_at"))));
        }
    }
    if (expected.contains("credible"))
        for (const Json& level : expected.at("credible")) {
            const CredibleIntervals intervals = credible_intervals(samples, level.at("alpha"));
            const Certainty verdict           = certainty(out, intervals);
            Case check(report, name + ", credible level " + level.at("alpha").dump(), level, metrics_usual);
            check.near("lower", intervals.lower);
            check.near("upper", intervals.upper);
            check.exact("certain_i", verdict.disjoint);
            check.exact("certain_ii", verdict.probable);
            check_counts(check, level, "table_i", certainty_counts(verdict.disjoint, correct));
            check_counts(check, level, "table_ii", certainty_counts(verdict.probable, correct));
        }
}

void check_quantile_type7(const Json& values, const std::string& name, Report& report)
{
    Case check(report, name, values, metrics_usual);
    check.near("quantile", quantiles(numbers(values.at("values")), numbers(values.at("p"))));
}

void check_auroc_ties(const Json& values, const std::string& name, Report& report)
{
    Case check(report, name, values, metrics_usual);
    check.near("auroc", auroc(numbers(values.at("positive")), numbers(values.at("negative"))));
}

void check_ece_small(const Json& values, const std::string& name, Report& report)
{
    const auto bins = reliability_bins(numbers(values.at("confidence")), flags(values.at("correct")), 15);
    Case check(report, name, values, metrics_usual);
    check.near("ece15", expected_calibration_error(bins));
    check.exact("bin_count", columns_of(bins).count);
}

}   // namespace credence::reference
