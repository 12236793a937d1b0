// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/files.h"
#include "study/presets.h"
#include "unit/sweeps/small_sweep.h"

namespace credence {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> labels_of(const SweepAxis& axis)
{
    std::vector<std::string> labels;
    for (const auto& value : axis.values)
        labels.push_back(value.label);
    return labels;
}

constexpr auto whole_sweep = R"({
  "credence_sweep": 1, "title": "Scales", "note": "Why.",
  "base": "two_moons_mean_field",
  "set": {"data.n": 50},
  "axes": {
    "method": [{"label": "one τ", "set": {"posterior.family": "layer_scale", "posterior.initial_tau": 0.4}},
               {"label": "plain", "base": "two_moons_point_estimate"}],
    "training.learning_rate": {"from": 0.001, "to": 0.1, "points": 3, "scale": "log"},
    "seed": {"from": 1, "to": 2}},
  "keep": {"archive": false, "views": ["confusion"]},
  "quick": {"training.steps": 5, "seed": [1], "method": "plain"}})";

TEST(SweepReader, ReadsEveryKey)
{
    const Sweep sweep = sweep_of(whole_sweep);
    EXPECT_EQ(shown_title(sweep), "Scales");
    EXPECT_EQ(sweep.note, "Why.");
    EXPECT_TRUE(sweep.base.is_preset);
    EXPECT_TRUE(sweep.base.study == preset("two_moons_mean_field"));
    ASSERT_EQ(sweep.axes.size(), 3u);
    EXPECT_EQ(sweep.n_cells(), 12u);
    EXPECT_THAT(labels_of(sweep.axes[0]), ElementsAre("one τ", "plain"));
    EXPECT_FALSE(sweep.axes[0].is_numeric());
    EXPECT_EQ(sweep.axes[0].title(), "method");
    EXPECT_EQ(sweep.axes[0].values[1].base->name, "two_moons_point_estimate");
    EXPECT_EQ(sweep.axes[0].values[0].set[1].second, FieldValue(std::vector<double>{0.4}));   // a list of one
    EXPECT_THAT(labels_of(sweep.axes[1]), ElementsAre("0.001", "0.01", "0.1"));
    EXPECT_TRUE(sweep.axes[1].is_numeric());
    EXPECT_EQ(sweep.axes[1].values[2].number, 0.1);
    EXPECT_NE(sweep.axes[1].title(), "training.learning_rate");
    ASSERT_NE(sweep.replicate_axis(), nullptr);
    EXPECT_FALSE(sweep.keep.archive);
    EXPECT_THAT(sweep.keep.views, ElementsAre("confusion"));
}

TEST(SweepReader, ReadsWhatToTextWrites)
{
    const Sweep sweep = sweep_of(whole_sweep);
    const Sweep again = sweep_of(to_text(sweep));
    EXPECT_TRUE(again == sweep) << to_text(again);
    EXPECT_EQ(to_text(again), to_text(sweep));
    const Sweep quick = quick_version(sweep);
    EXPECT_TRUE(sweep_of(to_text(quick)) == quick) << to_text(quick);
}

TEST(SweepReader, ReplicatesAreTheSeedsUnlessAnotherAxisIsNamed)
{
    EXPECT_EQ(small_sweep(R"({"seed": [1, 2]})").replicates, "seed");
    const Sweep splits = sweep_of(
        R"({"base": "xor", "axes": {"seed": [1, 2], "split.seed": [1, 2, 3]}, "replicates": "split.seed"})");
    ASSERT_NE(splits.replicate_axis(), nullptr);
    EXPECT_EQ(splits.replicate_axis()->values.size(), 3u);
    EXPECT_TRUE(sweep_of(to_text(splits)) == splits) << to_text(splits);
}

TEST(SweepReader, TheQuickVersionHasItsOwnValuesAndIsAppliedLast)
{
    const Sweep quick = quick_version(sweep_of(whole_sweep));
    EXPECT_EQ(quick.n_cells(), 3u);
    for (const auto& cell : cells_of(quick)) {
        EXPECT_EQ(cell.study.training.steps, 5);   // though the base of the value has its own
        EXPECT_EQ(cell.study.posterior.family, "point_estimate");
    }
    EXPECT_THAT(sentence_thrown_by([] { quick_version(sweep_of(R"({"base": "xor", "axes": {"seed": [1]}})")); }),
                HasSubstr("has no quick version"));
}

TEST(SweepReader, BasesAreFilesNextToTheSweepOrInsideIt)
{
    const FreshFolder folder("bases");
    Study study          = preset("xor");
    study.training.steps = 7;
    save_study(study, folder.path / "mine.json");
    write_whole(folder.path / "both.json", R"({"base": "mine.json", "axes": {"seed": [1, 2]}})");
    const Sweep sweep = load_sweep(folder.path / "both.json");
    EXPECT_EQ(sweep.id, "both");
    EXPECT_EQ(sweep.base.study.training.steps, 7);
    EXPECT_FALSE(sweep.base.is_preset);
    const Sweep inside = sweep_of(to_text(sweep));   // which is complete by itself
    EXPECT_TRUE(inside.base.study == sweep.base.study);
    EXPECT_THAT(sentence_thrown_by([&] { find_sweep((folder.path / "none.json").string()); }),
                HasSubstr("none.json: the file cannot be read"));
}

TEST(SweepReader, PublishedSplitsAreFilesNextToTheSweep)
{
    const FreshFolder folder("splits");
    write_whole(folder.path / "splits.json",
                R"({"base": "xor", "set": {"split.kind": "file"}, "replicates": "split.test_rows",
                    "axes": {"split.test_rows": ["index_test_0.txt", "index_test_1.txt"]}})");
    const Sweep sweep = load_sweep(folder.path / "splits.json");
    const auto cells  = cells_of(sweep);
    ASSERT_EQ(cells.size(), 2u);
    EXPECT_EQ(cells[1].study.split.test_rows, (folder.path / "index_test_1.txt").string());
    EXPECT_EQ(sweep.axes[0].values[1].label, "index_test_1.txt");
    EXPECT_EQ(sweep.replicate_axis(), &sweep.axes[0]);
    Sweep again = sweep_of(to_text(sweep));
    again.id    = sweep.id;   // the name of a file
    EXPECT_EQ(again, sweep);

    const Sweep folds = sweep_of(R"({"base": "xor", "set": {"split.kind": "folds", "split.folds": 3},
                                     "replicates": "split.fold", "axes": {"split.fold": [1, 2, 3]}})");
    EXPECT_EQ(cells_of(folds)[2].study.split.fold, 3);
    EXPECT_THAT(sentence_thrown_by([] {
                    cells_of(sweep_of(R"({"base": "xor", "set": {"split.kind": "folds", "split.folds": 3},
                                          "axes": {"split.fold": [1, 4]}})"));
                }),
                HasSubstr("split.fold is 4, expected a number from 1 to 3, the number of folds."));
}

TEST(SweepReader, SharedSettingsCanBeAssigned)
{
    Sweep sweep = small_sweep(R"({"training.learning_rate": [0.01, 0.1]})");
    set_for_all(sweep, "training.steps=6");
    for (const auto& cell : cells_of(sweep))
        EXPECT_EQ(cell.study.training.steps, 6);
    EXPECT_THAT(sentence_thrown_by([&] { set_for_all(sweep, "training.learning_rate=1"); }),
                AllOf(HasSubstr("training.learning_rate is varied by the axis"), HasSubstr("the same in all cells")));
    EXPECT_THAT(sentence_thrown_by([&] { set_for_all(sweep, "training.steps"); }),
                HasSubstr("expected a setting and its value"));
}

/// The sentence about {"base": "xor", <rest>}.
std::string refused_with(const std::string& rest)
{
    return sentence_thrown_by([&] { sweep_of(R"({"base": "xor", )" + rest + "}"); });
}

TEST(SweepReader, ReportsEveryMistakeWithItsPositionAndWhatWasExpected)
{
    EXPECT_THAT(sentence_thrown_by([] { sweep_of("[1, 2]"); }),
                AllOf(StartsWith("my.json: the file is [1,2], expected a sweep")));
    EXPECT_THAT(sentence_thrown_by([] { sweep_of("{"); }), HasSubstr("found text that is not JSON, expected a sweep"));
    EXPECT_THAT(sentence_thrown_by([] { sweep_of(R"({"base": "two_moon"})"); }),
                AllOf(StartsWith("my.json: base: There is no preset \"two_moon\"")));
    EXPECT_EQ(
        refused_with(R"("axis": {})"),
        "my.json: unknown key \"axis\", expected credence_sweep, title, note, base, set, axes, replicates, after, "
        "keep, quick, choose.");
    EXPECT_EQ(refused_with(R"("axes": {"seed": [1, 2]}, "replicates": "split.seed")"),
              "my.json: replicates is \"split.seed\", expected the name of an axis of this sweep, for example "
              "\"split.seed\".");
    EXPECT_THAT(
        refused_with(R"("axes": {"split.seed": [1, 2]}, "replicates": "split.seed", "choose": {"axis": "split.seed"})"),
        HasSubstr("expected the name of an axis of this sweep other than split.seed."));
    EXPECT_EQ(refused_with(R"("credence_sweep": 2)"),
              "my.json: credence_sweep is 2, expected 1, the version that this program reads.");
    EXPECT_THAT(
        refused_with(R"("axes": {"training.stepz": [1]})"),
        StartsWith("my.json: axes, training.stepz: there is no setting with this name (did you mean training.steps?), "
                   "expected one, or "));
    EXPECT_THAT(refused_with(R"("axes": {"training.steps": [0]})"),
                AllOf(StartsWith("my.json: axes, training.steps: training.steps is 0, expected"), HasSubstr("from 1")));
    EXPECT_THAT(refused_with(R"("axes": {"training.steps": []})"), HasSubstr("found no value"));
    EXPECT_THAT(refused_with(R"("axes": {"training.steps": [5, 5]})"), HasSubstr("the value 5 occurs twice"));
    EXPECT_THAT(refused_with(R"("axes": {"training.steps": 5})"), HasSubstr("expected a list of values, or a range"));
    EXPECT_THAT(refused_with(R"("axes": {"name": ["a"]})"), HasSubstr("does not affect a run"));
    EXPECT_THAT(refused_with(R"("axes": {"method": [{"set": {}}]})"), HasSubstr("a value without a label"));
    EXPECT_THAT(refused_with(R"("axes": {"method": [{"label": "a"}]})"), HasSubstr("neither \"set\" nor \"base\""));
    EXPECT_THAT(refused_with(R"("axes": {"method": [{"label": "a", "set": {"training.steps": -1}}]})"),
                HasSubstr("axes, method, \"a\": training.steps is -1"));
    EXPECT_THAT(refused_with(R"("axes": {"a": [{"label": "1", "base": "xor"}], "b": [{"label": "1", "base": "xor"}]})"),
                HasSubstr("values of two axes have a base"));
    EXPECT_THAT(refused_with(R"("axes": {"seed": {"from": 1, "to": 2000}, "data.seed": {"from": 1, "to": 9}})"),
                HasSubstr("more than 10000 cells"));
    EXPECT_THAT(refused_with(R"("keep": {"views": ["confusing"]})"), StartsWith("my.json: keep, views: "));
    EXPECT_THAT(refused_with(R"("choose": {"axis": "seed"})"), HasSubstr("expected the name of an axis of this sweep"));
    EXPECT_THAT(
        refused_with(
            R"("axes": {"training.steps": [1, 2]}, "choose": {"axis": "training.steps", "by": "Mean predictive entropy"
})"),
        HasSubstr("expected a score with a better direction"));
}

}   // namespace
}   // namespace credence
