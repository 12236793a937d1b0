// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "gallery/gallery.h"
#include "study/fields.h"
#include "unit/gallery/small_gallery.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace credence {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string refusal_of(const std::string& text)
{
    return sentence_of_error([&] { gallery_from_text(text, "g.json"); });
}

/// The small gallery with one piece of its text replaced.
std::string refusal_after(const std::string& piece, const std::string& by)
{
    std::string text = small_gallery_text();
    const auto at    = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    return refusal_of(text.replace(at, piece.size(), by));
}

TEST(Gallery, ReadsPapersAndEntriesInFileOrder)
{
    const Gallery small = small_gallery();
    ASSERT_EQ(small.papers.size(), 5U);
    EXPECT_EQ(small.papers[0].short_title, "Posch and Pilz 2021");
    const GalleryEntry& entry = small.entry("P.table1.correlated");
    EXPECT_EQ(entry.number, "Table I, h = 100, correlated");
    EXPECT_EQ(entry.kind, EntryKind::table);
    EXPECT_EQ(entry.status, EntryStatus::agrees);
    EXPECT_THAT(entry.views, ElementsAre("certainty", "confusion"));
    EXPECT_THAT(entry.quick, ElementsAre("training.steps=500"));
    EXPECT_EQ(entry.row, 8246);
    ASSERT_EQ(entry.values.size(), 3U);
    EXPECT_EQ(entry.values[0].printed, "0.70");
    EXPECT_EQ(entry.values[0].ours, "0.80");
    EXPECT_EQ(entry.values[0].score, "Error");
    ASSERT_TRUE(entry.ours);
    EXPECT_EQ(entry.ours->seeds_text(), "seed 1");
    EXPECT_EQ(
        (OurRuns{.seeds = "1 to 3", .date = {}, .commit = {}, .time = {}, .settings = {}, .study = {}}.seeds_text()),
        "seeds 1 to 3");
    EXPECT_EQ((OurRuns{.seeds = "none (times only)", .date = {}, .commit = {}, .time = {}, .settings = {}, .study = {}}
                   .seeds_text()),
              "no seeds (times only)");
    EXPECT_EQ(small.paper_of(entry).id, "P");
    EXPECT_THAT(std::get<MadeByPreset>(small.entry("B.fig5").how).set,
                ElementsAre("network.hidden=20, 20", "prior.weight_sd=1"));
    EXPECT_EQ(small.of_paper("F").size(), 3U);
}

TEST(Gallery, ReadsEachWayToMakeAnEntry)
{
    const Gallery small = small_gallery();
    const auto how      = [&](const char* id) -> const How& { return small.entry(id).how; };
    EXPECT_EQ(std::get<MadeBySweep>(how("S.claim.dropout")).id, "two_moons_dropout");
    EXPECT_EQ(std::get<MadeByComparison>(how("F.truth")).id, "two_moons_truth");
    EXPECT_THAT(std::get<MadeByBandit>(how("B.fig6")).ids, ElementsAre("plane_mean_field", "plane_uniform"));
    EXPECT_EQ(std::get<MadeByCommand>(how("H.fig5.3")).line, "credence bridge --compare-sampling");
    EXPECT_EQ(std::get<MadeByPage>(how("H.fig1.1")).preset, "fig_1_1_few");
    EXPECT_EQ(std::get<MadeByPage>(how("F.fig1")).page, GalleryPage::double_well);
    EXPECT_EQ(std::get<MadeByTests>(how("P.eq18")).names.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<MadeByNothing>(how("F.table2")));
}

TEST(Gallery, GivesTheCommandAndItsTime)
{
    const Gallery small = small_gallery();
    const auto command  = [&](const char* id) { return command_of(small.entry(id)); };
    EXPECT_EQ(command("P.table1.correlated"), "credence reproduce P.table1.correlated");
    EXPECT_EQ(command("B.fig6"), "credence reproduce B.fig6");
    EXPECT_EQ(command("H.fig5.3"), "credence bridge --compare-sampling");
    EXPECT_EQ(command("P.eq18"),
              "ctest --preset release -R '^(Tridiagonal.PrintedFactorTimesItsTransposeIsTheCovariance)$'");
    EXPECT_THAT(command("F.table2"), IsEmpty());
    EXPECT_EQ(place_of(std::get<MadeByPage>(small.entry("H.fig1.1").how)),
              "view Simplex, preset “Fig. 1.1: Dirichlet(2, 2, 6)”");
    EXPECT_EQ(time_text(0.2), "less than a minute");
    EXPECT_EQ(time_text(1), "about 1 minute");
    EXPECT_EQ(time_text(12), "about 12 minutes");
    EXPECT_EQ(time_text(120), "about 2 hours");
    EXPECT_EQ(time_text(150), "about 2.5 hours");
    EXPECT_THAT(time_text({}), IsEmpty());
}

TEST(Gallery, CountsEntriesByStatus)
{
    const auto counts = counts_of(small_gallery());
    EXPECT_EQ(counts.all(), 11);
    EXPECT_EQ(counts.text(),
              "11 entries: 1 agrees, 1 differs, 1 with other settings, 3 with other data, 3 shown, 1 not measured, 1 "
              "impossible");
    EXPECT_EQ(counts[EntryStatus::other_data], 3);
}

TEST(Gallery, MakesTheStudyOfAnEntryWithItsSettingsAndThoseOfTheQuickVersion)
{
    const Gallery small = small_gallery();
    const auto& entry   = small.entry("B.fig5");
    EXPECT_EQ(study_of(entry).network.hidden, (std::vector<int>{20, 20}));
    EXPECT_EQ(study_of(entry).training.steps, 15000);
    EXPECT_EQ(study_of(entry, true).training.steps, 200);
    EXPECT_TRUE(has_quick_version(entry));
    EXPECT_FALSE(has_quick_version(small.entry("B.fig6")));
    EXPECT_TRUE(is_run(entry));
    EXPECT_FALSE(is_run(small.entry("H.fig5.3")));
}

TEST(Gallery, AnImpossibleStudyIsRejectedWithTheEntrysId)
{
    GalleryEntry entry = small_gallery().entry("B.fig5");
    entry.quick        = {"training.steps=-1"};
    try {
        study_of(entry, true);
        FAIL() << "no refusal";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), StartsWith("B.fig5: "));
        EXPECT_EQ(error.field(), "training.steps");
    }
}

TEST(Gallery, AnUnknownIdIsRejectedWithSimilarOnes)
{
    try {
        small_gallery().entry("B.fig7");
        FAIL() << "no refusal";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("There is no entry \"B.fig7\" in the gallery of the papers"));
        EXPECT_THAT(error.what(), HasSubstr("B.fig6"));
    }
}

TEST(Gallery, RejectsInvalidEntriesWithTheirId)
{
    EXPECT_EQ(refusal_after("\"kind\": \"figure\"", "\"kind\": \"drawing\""),
              "g.json, H.fig1.1: kind is “drawing”, expected one of table, figure, claim, algorithm, formula.");
    EXPECT_EQ(refusal_after("\"views\": [\"certainty\"", "\"views\": [\"certainties\""),
              "g.json, P.table1.correlated: views is “certainties”, expected ids of views (see: credence list "
              "--views).");
    EXPECT_EQ(refusal_after("mnist_lenet_tridiagonal", "mnist_lenet"),
              "g.json, P.table1.correlated, how: preset is “mnist_lenet”, expected a preset (see: credence list).");
    EXPECT_EQ(refusal_after("\"two_moons_dropout\"", "\"nothing\""),
              "g.json, S.claim.dropout, how: sweep is “nothing”, expected a sweep of the program.");
    EXPECT_THAT(refusal_after("\"page\": \"simplex\"", "\"page\": \"cube\""),
                HasSubstr("page is “cube”, expected one of simplex, beta, double_well, bandit."));
    EXPECT_THAT(refusal_after("\"fig_1_1_few\"", "\"fig_9\""), HasSubstr("expected a preset of the page, one of fig"));
    EXPECT_THAT(refusal_after("{\"training.steps\": 500}", "{\"training.stepps\": 500}"),
                HasSubstr("quick is “training.stepps”, expected paths of settings."));
    EXPECT_THAT(refusal_after("\"id\": \"F.truth\"", "\"id\": \"F.Truth\""),
                HasSubstr("id is “F.Truth”, expected “F.”"));
    EXPECT_THAT(refusal_after("\"paper\": \"F\"", "\"paper\": \"G\""), HasSubstr("paper is “G”, expected one of P, S"));
    EXPECT_THAT(refusal_after("\"row\": 8246", "\"row\": -1"),
                HasSubstr("row is “-1”, expected the number of a test row."));
    EXPECT_THAT(refusal_after("\"minutes\": 8", "\"minutes\": -8"), HasSubstr("expected minutes, a number above 0."));
}

TEST(Gallery, ExplainsTheStatusOfEarlierVersions)
{
    EXPECT_EQ(refusal_after("\"status\": \"agrees\"", "\"status\": \"done\""),
              "g.json, P.table1.correlated: status is “done” of earlier versions, which does not state whether the "
              "results agree. Expected one of agrees, differs, other settings, other data, shown, open, impossible.");
}

TEST(Gallery, NamesTheSettingsOfTheCommandThatOurRunsDidNotHave)
{
    GalleryEntry entry = small_gallery().entry("B.fig5");
    EXPECT_THAT(differing_settings(entry), IsEmpty());   // no run is recorded
    const auto steps  = study_of(entry).training.steps;
    const auto seed   = std::to_string(study_of(entry).seed);
    entry.ours        = OurRuns{.seeds = seed, .date = {}, .commit = {}, .time = {}, .settings = {}, .study = {}};
    entry.ours->study = {"training.steps=" + std::to_string(steps)};
    EXPECT_THAT(differing_settings(entry), IsEmpty());
    entry.ours->study = {"training.steps=300"};
    entry.ours->seeds = "1001 to 1003";
    EXPECT_THAT(differing_settings(entry),
                ElementsAre("training.steps is " + std::to_string(steps) + ", our runs have 300",
                            "seed is " + seed + ", our runs have 1001, 1002, 1003"));
    entry.ours->seeds = "none (no sampling)";
    entry.ours->study = {"network.dropout=0.5"};   // has no effect on this network
    EXPECT_EQ(differing_settings(entry).empty(), !field("network.dropout").applies(study_of(entry)));
}

TEST(Gallery, ComparesOurRunsWithTheCellsThatTheValuesName)
{
    GalleryEntry entry = small_gallery().entry("S.claim.dropout");
    entry.ours         = OurRuns{.seeds = "none", .date = {}, .commit = {}, .time = {}, .settings = {}, .study = {}};
    entry.ours->study  = {"posterior.dropout_rate=0.1"};
    EXPECT_THAT(differing_settings(entry), IsEmpty());   // one value names the rate 0.1, the other no cell
    entry.values.clear();
    EXPECT_FALSE(differing_settings(entry).empty());   // all cells
}

TEST(Gallery, ASweepOfAnEntryHasItsSettingsAndKeepsTheValuesOfAnAxisThatItNames)
{
    GalleryEntry entry = small_gallery().entry("S.claim.dropout");
    const auto cells   = cells_of(sweep_of(entry));
    entry.how          = MadeBySweep{"two_moons_dropout", {"seed=1, 3", "training.steps=77"}};
    const auto fewer   = cells_of(sweep_of(entry));
    EXPECT_GT(cells.size(), fewer.size());
    for (const auto& cell : fewer) {
        EXPECT_EQ(cell.study.training.steps, 77);
        EXPECT_THAT(cell.study.seed, ::testing::AnyOf(1U, 3U));
    }
    EXPECT_EQ(cells_of(sweep_of(entry, true)).front().study.training.steps,
              cells_of(quick_version(shipped_sweep("two_moons_dropout"))).front().study.training.steps);
    entry.how = MadeBySweep{"two_moons_dropout", {"seed=1001"}};
    try {
        sweep_of(entry);
        FAIL() << "no refusal";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("S.claim.dropout: seed is \"1001\", expected values of this axis"));
    }
}

TEST(Gallery, ReadsTheSettingsOfASweepAndOfItsAxes)
{
    std::string text      = small_gallery_text();
    const std::string how = "{\"sweep\": \"two_moons_dropout\"}";
    ASSERT_NE(text.find(how), std::string::npos);
    text.replace(text.find(how), how.size(),
                 R"({"sweep": "two_moons_dropout", "set": {"seed": [1, 2], "training.steps": 77}})");
    const Gallery changed = gallery_from_text(text, "g.json");
    EXPECT_THAT(std::get<MadeBySweep>(changed.entry("S.claim.dropout").how).set,
                ElementsAre("seed=1, 2", "training.steps=77"));
    EXPECT_THAT(refusal_after(how, R"({"sweep": "two_moons_dropout", "set": {"colour": 1}})"),
                HasSubstr("set is “colour”, expected paths of settings."));
}

TEST(Gallery, RejectsMissingUnknownDuplicateOrAmbiguousKeys)
{
    EXPECT_THAT(refusal_after("\"shows\": \"Two Dirichlets with one mode.\",", ""),
                HasSubstr("H.fig1.1: found no shows, expected one."));
    EXPECT_THAT(refusal_after("\"minutes\": 2,", ""), HasSubstr("S.claim.dropout: found no minutes, expected one."));
    EXPECT_THAT(refusal_after("\"how\": {\"page\": \"double_well\"}, ", ""), HasSubstr("F.fig1: found no how"));
    EXPECT_THAT(refusal_after("\"number\": \"(18)\"", "\"number\": \"(18)\", \"nummer\": 1"),
                HasSubstr("P.eq18: found the key “nummer”, which is unknown."));
    EXPECT_EQ(refusal_after("\"H.fig5.3\"", "\"H.fig1.1\""),
              "g.json: found the id “H.fig1.1” twice, expected each once.");
    EXPECT_THAT(refusal_after("{\"page\": \"double_well\"}", "{\"page\": \"double_well\", \"sweep\": \"a\"}"),
                HasSubstr("F.fig1, how: found 2 ways to make it, expected one of sweep, preset"));
    EXPECT_THAT(refusal_after("\"gallery\": 1", "\"gallery\": 2"), HasSubstr("g.json: gallery is “2”, expected 1."));
    EXPECT_THAT(refusal_of("[]"), HasSubstr("expected an object."));
}

CellScores error_of(double error)
{
    CellScores scores;
    scores.scores = {{{.name = "Error", .unit = {}}, error}, {{.validation = true, .name = "Error", .unit = {}}, 0.5}};
    return scores;
}

SweepAxis axis_of(const std::string& name, const std::vector<std::string>& labels)
{
    SweepAxis axis;
    axis.name = name;
    for (const auto& label : labels) {
        SweepValue value;
        value.label = label;
        axis.values.push_back(std::move(value));
    }
    return axis;
}

/// Two methods with two seeds; the last cell is not done.
SweepResults two_methods()
{
    SweepResults results;
    results.sweep.axes    = {axis_of("method", {"one τ", "plain"}), axis_of("seed", {"1", "2"})};
    const double errors[] = {0.006, 0.010, 0.020};
    for (std::size_t i = 0; i < 4; ++i) {
        SweepCell cell;
        cell.index = i;
        cell.at    = {i / 2, i % 2};
        results.cells.push_back(cell);
        results.scores.push_back(i < 3 ? std::optional(error_of(errors[i])) : std::nullopt);
        results.states.push_back({.state = i < 3 ? CellState::done : CellState::waiting});
    }
    return results;
}

TEST(MeasuredValues, HaveTheDecimalsAndTheUnitOfThePrintedOne)
{
    const auto scores = error_of(0.00804);
    EXPECT_EQ(measured_text({.name = "Error (%)", .printed = "0.70", .ours = {}, .score = "Error", .cell = {}}, scores),
              "0.80");
    EXPECT_EQ(measured_text({.name = "Error", .printed = "0.00700", .ours = {}, .score = "Error", .cell = {}}, scores),
              "0.00804");
    EXPECT_EQ(measured_text({.name = "Error", .printed = "-", .ours = {}, .score = "Error", .cell = {}}, scores),
              "0.00804");
    EXPECT_EQ(measured_text({.name = "Error", .printed = "0.7", .ours = {}, .score = {}, .cell = {}}, scores), "");
    EXPECT_EQ(measured_text({.name = "A", .printed = "0.7", .ours = {}, .score = "AUROC", .cell = {}}, scores), "");
}

TEST(MeasuredValues, OfASweepAreMeansOverTheSeedsOfTheMatchingCells)
{
    const auto results = two_methods();
    const auto of      = [&](std::vector<std::pair<std::string, std::string>> cell) {
        const PrintedValue printed{
                 .name = "Error (%)", .printed = "0.70", .ours = {}, .score = "Error", .cell = std::move(cell)};
        return measured_text(printed, results);
    };
    EXPECT_EQ(of({{"method", "one τ"}}), "0.80 ± 0.28 (2 seeds)");   // sd of 0.6 and 1.0 is 0.4/√2
    EXPECT_EQ(of({{"method", "plain"}}), "2.00 (1 seed)");
    EXPECT_EQ(of({}), "");   // which method?
    EXPECT_EQ(of({{"method", "another"}}), "");
    EXPECT_EQ(of({{"method", "plain"}, {"rate", "0.1"}}), "");
}

TEST(MeasuredValues, OfASweepThatChoosesAreThoseOfTheChosenCellsWithTheStandardErrorOverSplits)
{
    SweepResults results;
    results.sweep.axes        = {axis_of("method", {"plain"}), axis_of("tuning", {"weak", "strong"}),
                                 axis_of("split", {"0", "1"})};
    results.sweep.replicates  = "split";
    results.sweep.choose      = SweepChoice{.axis = "tuning", .by = "Error", .each_replicate = true};
    const double errors[]     = {0.006, 0.010, 0.020, 0.030};
    const double validation[] = {0.1, 0.9, 0.2, 0.5};   // weak at split 0, strong at split 1
    for (std::size_t i = 0; i < 4; ++i) {
        SweepCell cell;
        cell.index = i;
        cell.at    = {0, i / 2, i % 2};
        results.cells.push_back(cell);
        results.scores.emplace_back(error_of(errors[i]));
        results.scores.back()->scores[1].second = validation[i];
        results.states.push_back({.state = CellState::done});
    }
    const PrintedValue printed{
        .name = "Error (%)", .printed = "0.70", .ours = {}, .score = "Error", .cell = {{"method", "plain"}}};
    EXPECT_EQ(measured_text(printed, results), "1.80 ± 1.20 (2 replicates)");   // 0.6 and 3.0: sd 2.4/√2
}

}   // namespace

}   // namespace credence
