// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/fields.h"
#include "unit/sweeps/small_sweep.h"

#include <set>

namespace credence {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(SweepCells, AreTheProductOfTheAxesTheLastOneFastest)
{
    const Sweep sweep = small_sweep(R"({"training.steps": [3, 5], "seed": [1, 2]})");
    const auto cells  = cells_of(sweep);
    std::vector<std::string> words;
    std::set<std::string> hashes;
    for (const auto& cell : cells) {
        EXPECT_EQ(cell.index, words.size());
        words.push_back(cell_words(sweep, cell));
        hashes.insert(cell.hash);
        EXPECT_EQ(cell.study.data.toy.n, 40);
    }
    EXPECT_THAT(words, ElementsAre("steps 3, seed 1", "steps 3, seed 2", "steps 5, seed 1", "steps 5, seed 2"));
    EXPECT_EQ(hashes.size(), 4u);
    EXPECT_EQ(cells[2].study.training.steps, 5);
    EXPECT_EQ(cells[1].study.seed, 2u);
    EXPECT_THAT(cells[3].at, ElementsAre(1u, 1u));
}

TEST(SweepCells, SharedSettingsPrecedeAxesAndLaterSettingsComeLast)
{
    const Sweep sweep = sweep_of(R"({"base": "xor", "set": {"training.steps": 3, "training.l2": 0.5},
        "axes": {"training.steps": [4], "how": [{"label": "a", "base": "spirals", "set": {"network.hidden": [2]}}]},
        "after": {"network.hidden": [7]}})");
    const auto cells  = cells_of(sweep);
    ASSERT_EQ(cells.size(), 1u);
    EXPECT_EQ(cells[0].study.training.steps, 4);
    EXPECT_EQ(cells[0].study.training.l2, 0.5);
    EXPECT_EQ(cells[0].study.data.toy.kind, ToyKind::spirals);
    EXPECT_THAT(cells[0].study.network.hidden, ElementsAre(7));
}

TEST(SweepCells, HaveAHashOfOnlyTheirSettings)
{
    Study study     = cells_of(small_sweep(R"({"seed": [1]})")).front().study;
    const auto hash = study_hash(study);
    study.name      = "Another name";
    study.note      = "Another note";
    EXPECT_EQ(study_hash(study), hash);
    EXPECT_EQ(hash.size(), 16u);
    EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
    ++study.seed;
    EXPECT_NE(study_hash(study), hash);
}

TEST(SweepCells, AreAllCheckedAndTheFirstBadOneIsNamedWithItsValues)
{
    // A scale mixture needs the sampled KL: alone each value is right.
    const Sweep sweep = small_sweep(
        R"({"training.complexity": ["sampled", "closed"], "prior.kind": ["scale_mixture"]})");
    EXPECT_THAT(sentence_thrown_by([&] { cells_of(sweep); }),
                AllOf(StartsWith("Cell 2 of the sweep "), HasSubstr("(closed): training.complexity is closed")));
}

TEST(SweepCells, DuplicateRunsAreRejected)
{
    const Sweep sweep = small_sweep(
        R"({"how": [{"label": "a", "set": {"training.steps": 3}}, {"label": "b", "set": {"training.steps": 3}}]})");
    EXPECT_THAT(sentence_thrown_by([&] { cells_of(sweep); }),
                AllOf(StartsWith("The cells a and b of the sweep "), HasSubstr("are the same run")));
}

TEST(SweepCells, ChooseOnValidationImagesOrCalibrationRowsOnly)
{
    const Sweep sweep = sweep_of(
        R"({"base": "xor", "axes": {"training.steps": [1, 2]}, "choose": {"axis": "training.steps"}})");
    EXPECT_THAT(sentence_thrown_by([&] { cells_of(sweep); }),
                HasSubstr("has none; expected split.calibration_fraction greater than 0."));
    const Sweep with_rows = sweep_of(
        R"({"base": "xor", "set": {"split.calibration_fraction": 0.2}, "axes": {"training.steps": [1, 2]},
            "choose": {"axis": "training.steps", "each_replicate": true}})");
    EXPECT_EQ(cells_of(with_rows).size(), 2u);
    EXPECT_TRUE(sweep_from_text(to_text(with_rows), "again", {}).choose->each_replicate);
}

TEST(SweepCells, ChooseNeedsScoresThatAreNotRecalibratedOnTheSameRows)
{
    const Sweep sweep = sweep_of(
        R"({"base": "xor", "set": {"split.calibration_fraction": 0.2, "prediction.recalibration": "temperature"},
            "axes": {"training.steps": [1, 2]}, "choose": {"axis": "training.steps"}})");
    EXPECT_THAT(sentence_thrown_by([&] { cells_of(sweep); }),
                AllOf(HasSubstr("chooses by scores on calibration rows, but prediction.recalibration of the cell "),
                      HasSubstr("is temperature, which is fitted on the same rows; expected none.")));
}

TEST(SweepCells, PathsContainTheLabelsOfOtherAxes)
{
    const Sweep sweep = sweep_from_text(
        R"({"base": "xor", "set": {"data.source": "csv", "data.file": "uci/{table}/data.txt", "split.kind": "file",
                                   "split.test_rows": "uci/{table}/index_test_{split}.txt"},
            "replicates": "split",
            "axes": {"table": [{"label": "yacht", "set": {"data.target": "7"}}],
                     "split": [{"label": "0", "set": {"seed": 1}}, {"label": "1", "set": {"seed": 2}}]}})",
        "paths.json", "/data");
    const auto cells = cells_of(sweep);
    ASSERT_EQ(cells.size(), 2u);
    EXPECT_EQ(cells[1].study.data.file, "/data/uci/yacht/data.txt");
    EXPECT_EQ(cells[1].study.split.test_rows, "/data/uci/yacht/index_test_1.txt");
}

TEST(ShippedSweeps, HaveValidCellsAndANoteOnTheirPurpose)
{
    std::set<std::string> ids;
    for (const auto& sweep : sweeps()) {
        SCOPED_TRACE(sweep.id);
        EXPECT_TRUE(ids.insert(sweep.id).second);
        EXPECT_FALSE(sweep.title.empty());
        EXPECT_GT(sweep.note.size(), 40u);
        EXPECT_EQ(cells_of(sweep).size(), sweep.n_cells());
        if (!sweep.quick.empty() || !sweep.quick_axes.empty()) {
            EXPECT_FALSE(cells_of(quick_version(sweep)).empty());
        }
    }
    EXPECT_TRUE(ids.count("toys_20") == 1 && ids.count("two_moons_dropout") == 1);
}

TEST(ShippedSweeps, AreFoundByTheirIds)
{
    EXPECT_EQ(find_sweep("toys_20").n_cells(), 20u);
    EXPECT_THAT(sentence_thrown_by([] { find_sweep("toys"); }),
                HasSubstr("There is no sweep \"toys\", expected a file or one of "));
}

}   // namespace

}   // namespace credence
