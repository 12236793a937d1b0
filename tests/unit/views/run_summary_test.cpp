// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/run_summary.h"

#include "unit/random_values.h"
#include "unit/views/chain_snapshots.h"
#include "unit/views/drawn.h"
#include "views/scores.h"

#include "foundation/number_text.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

std::vector<std::string> ids_of(const std::vector<SummaryNumber>& numbers)
{
    std::vector<std::string> ids;
    for (const auto& number : numbers)
        ids.push_back(number.id);
    return ids;
}

const SummaryNumber& number_of(const std::vector<SummaryNumber>& numbers, const std::string& id)
{
    return *std::ranges::find(numbers, id, &SummaryNumber::id);
}

double value_in(const Table& table, const std::string& name)
{
    for (const auto& row : table.rows)
        if (std::get<std::string>(row.front()).starts_with(name))
            return std::get<double>(row[1]);
    return std::nan("");
}

double binomial_probability(long hits, long n, double p)
{
    const auto k = static_cast<double>(hits), m = static_cast<double>(n);
    return std::exp(std::lgamma(m + 1) - std::lgamma(k + 1) - std::lgamma(m - k + 1) + k * std::log(p)
                    + (m - k) * std::log1p(-p));
}

}   // namespace

TEST(RunSummary, TheIntervalOfAShareHasItsClosedFormAtBothEnds)
{
    const double least = std::pow(0.025, 1.0 / 100);
    EXPECT_NEAR(share_interval(100, 100).first, least, 1e-9);
    EXPECT_EQ(share_interval(100, 100).second, 1);
    EXPECT_EQ(share_interval(0, 100).first, 0);
    EXPECT_NEAR(share_interval(0, 100).second, 1 - least, 1e-9);
}

TEST(RunSummary, TheIntervalOfAShareContainsItInAtLeast95PercentOfAllRepetitions)
{
    for (const long n : {10L, 50L, 200L})
        for (const double p : {0.02, 0.1, 0.5, 0.77, 0.99}) {
            double covered = 0;
            for (long hits = 0; hits <= n; ++hits)
                if (const auto [low, high] = share_interval(hits, n); low <= p && p <= high)
                    covered += binomial_probability(hits, n, p);
            EXPECT_GE(covered, 0.95) << "n = " << n << ", p = " << p;
        }
}

TEST(RunSummary, TheIntervalOfTheRmseContainsItInAbout95PercentOfAllRepetitions)
{
    constexpr std::size_t n = 200, repetitions = 1000;
    const auto errors = normals(n * repetitions, 5, 2.0);   // RMSE 2
    int covered       = 0;
    for (std::size_t r = 0; r < repetitions; ++r) {
        double mean = 0, fourth = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double square = errors[r * n + i] * errors[r * n + i];
            mean += square / n;
            fourth += square * square / n;
        }
        const auto [low, high] = rmse_interval(std::sqrt(mean), std::sqrt(fourth - mean * mean), n);
        covered += low <= 2 && 2 <= high;
    }
    EXPECT_GE(covered, 920);   // 95 % less the skewness of squares, ± 3 standard errors of 0.7 %
    EXPECT_LE(covered, 975);
}

TEST(RunSummary, NumbersOfClassesAreThoseOfTheScores)
{
    const auto run     = short_snapshot("moons", ToyKind::two_moons);
    const auto table   = scores(run);
    const auto numbers = summary_numbers(score_table(run), {});
    EXPECT_THAT(ids_of(numbers), ElementsAre("accuracy", "nll", "ece"));
    EXPECT_EQ(number_of(numbers, "accuracy").value, score_text(*final_score_in(table)));
    EXPECT_EQ(number_of(numbers, "nll").value, number_text(value_in(table, "NLL"), 3));
    EXPECT_EQ(number_of(numbers, "ece").value, number_text(value_in(table, "Expected calibration error"), 2));
    EXPECT_THAT(number_of(numbers, "accuracy").caption, testing::MatchesRegex("accuracy, [0-9]+–[0-9]+ %"));
}

TEST(RunSummary, NumbersOfANumericTargetAreThoseOfTheScores)
{
    const auto run    = short_snapshot("curve", ToyKind::blundell_curve);
    const auto scored = score_table(run);
    const auto& table = scored.table;
    ASSERT_TRUE(scored.regression);
    EXPECT_FALSE(scored.classes);
    const double square = scored.regression->rmse * scored.regression->rmse;
    EXPECT_GT(scored.regression->mean_fourth, square * square);
    const auto numbers = summary_numbers(scored, {});
    EXPECT_THAT(ids_of(numbers), ElementsAre("rmse", "nll", "crps", "coverage", "width", "least_squares"));
    EXPECT_EQ(number_of(numbers, "crps").value, number_text(value_in(table, "CRPS"), 3));
    EXPECT_EQ(number_of(numbers, "width").value, number_text(value_in(table, "Mean width"), 3));
    EXPECT_EQ(number_of(numbers, "least_squares").value, number_text(value_in(table, "Baseline: RMSE of least"), 3));
    EXPECT_EQ("RMSE " + number_of(numbers, "rmse").value, score_text(*final_score_in(table)));
    EXPECT_THAT(number_of(numbers, "rmse").caption, HasSubstr("RMSE, "));
    EXPECT_THAT(number_of(numbers, "coverage").caption, HasSubstr("coverage of 95 %, "));
    auto strength             = scored;
    strength.unit             = "MPa";
    strength.regression->rmse = 5.95;
    const auto with_unit      = summary_numbers(strength, {});
    EXPECT_THAT(number_of(with_unit, "rmse").caption,
                testing::MatchesRegex("RMSE, [0-9.]+[.][0-9][0-9]–[0-9.]+[.][0-9][0-9] MPa"));
    EXPECT_EQ(number_of(with_unit, "crps").caption, "CRPS, MPa");
}

TEST(RunSummary, ChainsHaveTheirDiagnostics)
{
    const auto run     = snapshot_of_chains(study_of_chains("nuts"), {.n_chains = 2, .n_draws = 100});
    const auto chains  = chain_numbers(run, {});
    const auto numbers = summary_numbers({}, chains);
    const auto table   = *drawn("chain_convergence", run).table;
    ASSERT_TRUE(chains);
    EXPECT_THAT(ids_of(numbers), ElementsAre("r_hat", "ess", "divergences"));
    EXPECT_EQ(number_of(numbers, "r_hat").value, fixed_text(value_in(table, "Worst R̂"), 3));
    EXPECT_EQ(number_of(numbers, "divergences").value, "1");
}

TEST(RunSummary, OtherRunsHaveNoDiagnosticsOfChains)
{
    EXPECT_FALSE(chain_numbers(moons(), {}));
    const auto few = snapshot_of_chains(study_of_chains("nuts"), {.n_chains = 2, .n_draws = 2});
    EXPECT_FALSE(chain_numbers(few, {})) << "too few draws";
}
