// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/read_file.h"
#include "foundation/write_whole.h"
#include "unit/sweeps/scores_by_hand.h"

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
        StartsWith(
            "training.learning_rate,network.hidden,seed,cell,steps,test Inputs,test NLL [nats per example],test "
            "Accuracy,test Mean confidence (MMC),validation NLL [nats per example]\r\n0.01,4,1,cell0,7,40,0,1,0.5,0\r\n"));
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
    write_whole(
        folder.path / "results.json",
        R"({"steps": 9, "scores": [{"score": "NLL", "value": 0.1, "unit": "nats"}, {"score": "ECE", "value": null, "unit": ""}],
                    "validation_scores": [{"score": "NLL", "value": 2, "unit": "nats"}], "layers": [{"block": "layer 1 weights", "tau": 0.25}]})");
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

}   // namespace
}   // namespace credence
