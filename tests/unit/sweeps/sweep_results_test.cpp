// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/files.h"
#include "unit/sweeps/scores_by_hand.h"

#include <cmath>

namespace credence {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

SweepResults all_done()
{
    return scores_by_hand([](int rate, int width, int seed) { return 0.2 * seed + 0.01 * width + rate; });
}

std::size_t column_named(const Table& table, const std::string& name)
{
    for (std::size_t j = 0; j < table.columns.size(); ++j)
        if (table.columns[j].name == name)
            return j;
    ADD_FAILURE() << "no column " << name;
    return 0;
}

TEST(SweepResults, CellsAreOneRowEachWithAxesAndEveryScoreInFullDigits)
{
    const auto table = cells_table(all_done());
    ASSERT_EQ(table.rows.size(), 12u);
    const std::string csv = to_csv(table);
    EXPECT_THAT(
        csv,
        StartsWith("training.learning_rate,network.hidden,seed,cell,steps,test Inputs,test NLL [nats per example],test "
                   "Accuracy,test Mean confidence (MMC),validation NLL [nats per "
                   "example]\r\n0.01,4,1,cell0,7,40,0,1,0.5,0\r\n"));
    EXPECT_THAT(csv, HasSubstr("\r\n0.01,4,3,cell2,7,40,0.4,0.6,0.5,4\r\n"));
    EXPECT_THAT(csv, Not(HasSubstr("0.25")));   // no time
    EXPECT_THAT(to_csv(times_table(all_done())), HasSubstr("\r\n0.01,4,3,cell2,done,7,0.25\r\n"));
}

TEST(SweepResults, UnfinishedCellsAppearOnlyInTheTimes)
{
    const auto some = scores_by_hand([](int rate, int, int) { return rate == 0 ? std::optional(0.5) : std::nullopt; });
    EXPECT_EQ(some.n_done(), 6u);
    EXPECT_EQ(cells_table(some).rows.size(), 6u);
    EXPECT_EQ(times_table(some).rows.size(), 12u);
    EXPECT_THAT(to_csv(times_table(some)), HasSubstr("\r\n0.1,8,3,cell11,waiting,,\r\n"));
    const auto summary = summary_table(some);
    ASSERT_EQ(summary.rows.size(), 4u);
    EXPECT_EQ(summary.rows[3][2], Cell(0L));
    EXPECT_EQ(summary.rows[3][3], Cell(std::string()));
}

TEST(SweepResults, TheSummaryIsMeanAndDeviationOverTheSeeds)
{
    const auto table = summary_table(all_done());
    ASSERT_EQ(table.rows.size(), 4u);
    EXPECT_NEAR(std::get<double>(table.rows[0][column_named(table, "test NLL, mean")]), 0.2, 1e-12);
    EXPECT_NEAR(std::get<double>(table.rows[0][column_named(table, "test NLL, sd")]), 0.2, 1e-12);
    EXPECT_THAT(to_csv(table), Not(HasSubstr("Inputs")));
    const auto brief = short_summary(all_done());
    EXPECT_EQ(brief.rows[1][column_named(brief, "test NLL")], Cell(std::string("0.21 ± 0.20")));
}

TEST(SweepResults, AMeanOverFewerSeedsIsMarked)
{
    auto results = all_done();
    results.scores[1]->scores[1].second.reset();   // a seed without NLL, as one without errors has no AUROC
    const auto table = summary_table(results);
    const auto seeds = column_named(table, "test NLL, seeds");
    EXPECT_EQ(table.rows[0][column_named(table, "seeds")], Cell(3L));   // finished ones
    EXPECT_EQ(table.rows[0][seeds], Cell(2L));
    EXPECT_EQ(table.rows[1][seeds], Cell(3L));
    EXPECT_THAT(to_csv(table), Not(HasSubstr("(MMC), seeds")));   // every seed has it
    const auto brief = short_summary(results);
    EXPECT_THAT(std::get<std::string>(brief.rows[0][column_named(brief, "test NLL")]), HasSubstr(" (2 of 3)"));
    EXPECT_EQ(brief.rows[1][column_named(brief, "test NLL")], Cell(std::string("0.21 ± 0.20")));
}

TEST(SweepResults, AFolderHasEveryTable)
{
    const FreshFolder folder("tables");
    write_sweep_results(all_done(), folder.path);
    for (const char* name :
         {"cells.csv", "times.csv", "summary.csv", "comparisons.csv", "chosen.csv", "summary.tex", "provenance.json"})
        EXPECT_FALSE(read_file(folder.path / name, "a table").empty()) << name;
    EXPECT_THAT(read_file(folder.path / "comparisons.csv", "a table"),
                StartsWith("axis,A,B,others,set,score,unit,seeds,mean of A - B,standard error,"));
    EXPECT_THAT(read_file(folder.path / "summary.tex", "a table"), HasSubstr("\\ensuremath{\\pm}"));
}

TEST(SweepResults, AreReadFromTheFilesOfTheCells)
{
    const FreshFolder folder("read");
    write_whole(folder.path / "results.json",
                R"({"steps": 9, "scores": [{"score": "NLL", "value": 0.1, "unit": "nats"},
                                    {"score": "ECE", "value": null, "unit": ""}],
            "validation_scores": [{"score": "NLL", "value": 2, "unit": "nats"}],
            "layers": [{"block": "layer 1 weights", "tau": 0.25}]})");
    const auto scores = read_cell_scores(folder.path / "results.json");
    EXPECT_EQ(scores.value({false, "NLL", ""}), 0.1);
    EXPECT_EQ(scores.value({true, "NLL", ""}), 2.0);
    EXPECT_EQ(scores.value({false, "ECE", ""}), std::nullopt);
    EXPECT_EQ(scores.steps, 9);
    EXPECT_EQ(scores.seconds, std::nullopt);
    write_whole(folder.path / "times.json", R"({"seconds": 0.5})");
    EXPECT_EQ(read_cell_scores(folder.path / "results.json").seconds, 0.5);
    ASSERT_EQ(scores.layers.size(), 1u);
    EXPECT_EQ(scores.layers[0].tau, 0.25);
    write_whole(folder.path / "results.json", "{}");
    EXPECT_THAT(sentence_thrown_by([&] { read_cell_scores(folder.path / "results.json"); }),
                HasSubstr("results.json: found no \"scores\" and \"steps\" of a run"));
}

using ::testing::DoubleNear;
using ::testing::Optional;

TEST(SweepStatistics, HaveForEachScoreWhetherLowerIsBetter)
{
    EXPECT_EQ(less_is_better("NLL"), true);
    EXPECT_EQ(less_is_better("CRPS"), true);
    EXPECT_EQ(less_is_better("Expected calibration error, 15 bins"), true);
    EXPECT_EQ(less_is_better("AUROC of confidence, right against wrong"), false);
    EXPECT_EQ(less_is_better("Mean predictive entropy"), std::nullopt);
}

TEST(SweepStatistics, CompareTheValuesOfEachAxisPairedBySeed)
{
    // Each seed has its own level, which the pairing removes; the second rate is worse by 0.01, 0.02, 0.03.
    const auto results      = scores_by_hand([](int rate, int width, int seed) {
        return 0.1 * seed + 0.05 * width * (seed + 1) + rate * 0.01 * (seed + 1);
    });
    const auto combinations = combinations_of(results);
    ASSERT_EQ(combinations.size(), 4u);
    EXPECT_EQ(combinations[1].words, "0.01, 8");
    const auto summary = over_seeds(results, combinations[0], {false, "NLL", ""});
    EXPECT_EQ(summary.n, 3u);
    EXPECT_THAT(summary.mean, Optional(DoubleNear(0.1, 1e-12)));
    EXPECT_THAT(summary.sd, Optional(DoubleNear(0.1, 1e-12)));

    const auto all = comparisons_of(results);
    // 2 axes × 2 values of the other + 2 pairs that differ in both, each under test NLL, test
    // accuracy and validation NLL.
    ASSERT_EQ(all.size(), 6u * 3);
    const auto& first = all.front();
    EXPECT_EQ(first.axis, "training.learning_rate");
    EXPECT_EQ(first.a, "0.01");
    EXPECT_EQ(first.b, "0.1");
    EXPECT_EQ(first.others, "4");
    EXPECT_EQ(first.score.name, "NLL");
    EXPECT_THAT(first.difference.mean, Optional(DoubleNear(-0.02, 1e-12)));
    const double t = 2 * std::sqrt(3.0), p = 0.5 + t / (2 * std::sqrt(2 + t * t));
    EXPECT_THAT(first.a_better, Optional(DoubleNear(p, 1e-6)));
    EXPECT_EQ(all[1].score.name, "Accuracy");   // more is better: the same side wins
    EXPECT_THAT(all[1].a_better, Optional(DoubleNear(p, 1e-6)));
    EXPECT_TRUE(all.back().axis.empty());
    EXPECT_EQ(all.back().others, "");
}

TEST(SweepStatistics, PairOnlySeedsThatBothSidesHave)
{
    const auto results   = scores_by_hand([](int rate, int, int seed) -> std::optional<double> {
        if (rate == 0 && seed == 1)
            return {};
        return 0.1 * seed + rate;
    });
    std::size_t of_rates = 0;
    for (const auto& one : comparisons_of(results))
        if (one.axis == "training.learning_rate") {
            ++of_rates;
            EXPECT_EQ(one.difference.n_a, 2u);
            EXPECT_NEAR(std::fabs(*one.difference.mean), one.score.validation ? 10 : 1, 1e-12);
        }
    EXPECT_EQ(of_rates, 2u * 3) << "two widths, three scores";
}

TEST(SweepStatistics, AdjustPValuesForTheComparisonsUnderOneScore)
{
    const auto all = comparisons_of(scores_by_hand([](int rate, int width, int seed) {
        return 0.1 * seed + 0.05 * width * (seed + 1) + rate * 0.01 * (seed + 1) * (width == 0 && seed == 2 ? 4 : 1);
    }));
    ASSERT_EQ(all.size(), 6u * 3);
    std::vector<std::optional<double>> raw;
    for (const auto& one : all)
        if (one.score == all.front().score)
            raw.push_back(one.difference.p_value);
    ASSERT_EQ(raw.size(), 6u);
    const auto holm = holm_adjusted(raw);
    std::size_t i   = 0;
    for (const auto& one : all)
        if (one.score == all.front().score) {
            EXPECT_EQ(one.n_compared, 6u);
            EXPECT_EQ(one.p_holm, holm[i++]);
            EXPECT_GT(*one.p_holm, *one.difference.p_value * 0.999);
        }
}

TEST(SweepStatistics, WriteRawAndAdjustedPValuesAndTheNumberOfComparisons)
{
    const auto table = comparisons_table(scores_by_hand([](int rate, int width, int seed) {
        return 0.1 * seed + 0.05 * width * (seed + 1) + rate * 0.01 * (seed + 1);
    }));
    std::vector<std::string> names;
    for (const auto& column : table.columns)
        names.push_back(column.name);
    EXPECT_THAT(names,
                ::testing::IsSupersetOf({"p", "p, Holm-adjusted", "comparisons under this score",
                                         "half-width of the 95 % interval", "difference detectable with 80 % power"}));
    ASSERT_EQ(table.rows.size(), 6u * 2) << "accuracy is 1 - error and is not compared again";
    for (const auto& row : table.rows)
        EXPECT_EQ(row.size(), table.columns.size());
}

TEST(SweepStatistics, AnyAxisCanContainTheReplicates)
{
    auto results = scores_by_hand(
        [](int rate, int width, int seed) { return 0.1 * seed + 0.05 * width + rate * 0.01 * (seed + 1); });
    results.sweep.axes[0].name = "split.seed";   // the learning rates of the example
    results.sweep.replicates   = "split.seed";
    ASSERT_NE(results.sweep.replicate_axis(), nullptr);
    const auto combinations = combinations_of(results);
    ASSERT_EQ(combinations.size(), 6u) << "two widths, three seeds";
    EXPECT_EQ(combinations.front().cells.size(), 2u);
    const auto all = comparisons_of(results);
    ASSERT_FALSE(all.empty());
    for (const auto& one : all) {
        EXPECT_NE(one.axis, "split.seed");
        EXPECT_EQ(one.difference.n_a, 2u);
    }
    EXPECT_EQ(summary_table(results).columns[2].name, "replicates");
}

TEST(SweepStatistics, ChooseOnValidationAndOnlyFromCompleteCells)
{
    auto results = scores_by_hand(
        [](int rate, int width, int seed) { return (rate == width ? 0.2 : 0.3) + 0.01 * seed; });
    const auto choices = choices_of(results);
    ASSERT_EQ(choices.size(), 2u);
    ASSERT_TRUE(choices[0].chosen && choices[1].chosen);
    EXPECT_EQ(choices[0].chosen->at[0], 0u);   // width 4: the first rate; width 8: the second
    EXPECT_EQ(choices[1].chosen->at[0], 1u);
    const auto table = chosen_table(results).value();
    ASSERT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.rows[1][0], Cell(std::string("8")));
    EXPECT_EQ(table.rows[1][1], Cell(std::string("0.1")));
    EXPECT_EQ(table.rows[1][2], Cell(3L));

    auto contrary = scores_by_hand(
        [](int rate, int width, int seed) { return (rate == width ? 0.2 : 0.3) + 0.01 * seed; });
    for (auto& cell : contrary.scores)   // the best on validation becomes the worst on test rows
        cell->scores[1].second = -*cell->scores[1].second;
    EXPECT_EQ(choices_of(contrary)[1].chosen->at[0], 1u) << "test scores play no part in the choice";

    auto by_seed = scores_by_hand([](int rate, int, int seed) { return rate == seed % 2 ? 0.2 : 0.3; });
    by_seed.sweep.choose->each_replicate = true;
    const auto mixed                     = choices_of(by_seed)[0].chosen.value();
    for (const auto cell : mixed.cells)
        EXPECT_EQ(by_seed.scores[cell]->value({true, by_seed.sweep.choose->by, {}}), 2) << "the best at each seed";

    results.scores[0].reset();
    EXPECT_FALSE(choices_of(results)[0].chosen);
    EXPECT_TRUE(choices_of(results)[1].chosen);
    EXPECT_EQ(chosen_table(results)->rows[0].size(), table.columns.size());
}

TEST(SweepTables, CoverageIsPooledOverTheRowsOfAllReplicatesWithItsBinomialInterval)
{
    auto results = scores_by_hand([](int, int width, int) { return width == 0 ? std::optional(0.5) : std::nullopt; });
    EXPECT_FALSE(coverage_table(results)) << "no intervals";
    const double coverages[] = {1.0, 0.9, 0.8}, rows[] = {10, 10, 40};
    for (std::size_t i = 0; i < 3; ++i) {
        results.scores[i]->scores.front().second = rows[i];
        results.scores[i]->scores.push_back({{false, "Coverage of the 90 % conformal intervals", ""}, coverages[i]});
    }
    const auto table = coverage_table(results);
    ASSERT_TRUE(table);
    ASSERT_EQ(table->rows.size(), 1u) << "cells without the score are left out";
    const auto& row = table->rows.front();
    ASSERT_EQ(row.size(), table->columns.size());
    EXPECT_EQ(row[0], Cell(std::string("0.01")));
    EXPECT_EQ(row[3], Cell(3L)) << "replicates";
    EXPECT_EQ(row[4], Cell(60L)) << "rows";
    EXPECT_EQ(row[5], Cell(51L)) << "10 + 9 + 32";
    EXPECT_DOUBLE_EQ(std::get<double>(row[6]), 0.85);
    EXPECT_NEAR(std::get<double>(row[7]), 0.7343, 2e-4);   // beta quantiles: 0.025 of (51, 10), 0.975 of (52, 9)
    EXPECT_NEAR(std::get<double>(row[8]), 0.9290, 2e-4);
}

}   // namespace

}   // namespace credence
