// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweeps/sweep_figures.h"

#include "foundation/error.h"
#include "sweeps/run_sweep.h"
#include "sweeps/sweep_figure_parts.h"
#include "training/snapshot.h"
#include "unit/sweeps/small_sweep.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace credence {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// A sweep of which cell i has NLL i and, if it is in the first half, error 0.25; no run is made.
SweepResults results_by_hand(const std::string& axes)
{
    SweepResults results{.sweep = small_sweep(axes), .cells = {}, .scores = {}, .states = {}};
    results.cells = cells_of(results.sweep);
    for (const auto& cell : results.cells) {
        CellScores scores;
        scores.scores = {{{false, "Inputs", ""}, 10},
                         {{false, "Error", ""}, 0.25},
                         {{false, "NLL", "nats per example"}, static_cast<double>(cell.index)},
                         {{false, "Mean predictive entropy", "nats"}, 0.5}};
        scores.layers = {{"dense 1 weights", 0.1 * static_cast<double>(cell.index + 1), {}, {}, {}}};
        results.scores.emplace_back(std::move(scores));
        results.states.push_back({CellState::done, ""});
    }
    return results;
}

constexpr auto steps_families_seeds =
    R"({"posterior.family": ["mean_field", "layer_scale"], "training.steps": [4, 8], "seed": [1, 2]})";

Chart drawn_of(const std::string& id, const SweepResults& results, const SweepFolder& folder,
               const SweepFigureOptions& options = {})
{
    return sweep_figure(id).make(folder, results, options, {}).value();
}

std::vector<Line> lines_of(const Panel& panel)
{
    std::vector<Line> lines;
    for (const auto& series : panel.series)
        if (const auto* line = std::get_if<Line>(&series))
            lines.push_back(*line);
    return lines;
}

std::string text_in(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(SweepAxes, NumericAxesComeFirstAndTheSeedIsNotAnAxis)
{
    const auto sweep = small_sweep(steps_families_seeds);
    std::vector<std::string> names;
    for (const auto* axis : figure_axes(sweep))
        names.push_back(axis->name);
    EXPECT_THAT(names, ElementsAre("training.steps", "posterior.family"));
    EXPECT_EQ(usual_figure_axis(sweep), &sweep.axes[1]);
    EXPECT_EQ(usual_figure_axis(small_sweep(R"({"seed": [1, 2]})")), nullptr);
}

TEST(SweepLayout, HasARowForEachCombinationOfTheOtherAxes)
{
    const auto results = results_by_hand(steps_families_seeds);
    const auto layout  = layout_along(results, "");
    EXPECT_THAT(layout.axis.numbers, ElementsAre(4, 8));
    ASSERT_THAT(layout.rows, SizeIs(2));
    EXPECT_EQ(layout.rows[0].name, "mean_field");
    EXPECT_THAT(layout.rows[0].cells, ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
    EXPECT_THAT(layout.rows[1].cells, ElementsAre(ElementsAre(4, 5), ElementsAre(6, 7)));
    const auto families = layout_along(results, "posterior.family");
    EXPECT_THAT(families.axis.numbers, SizeIs(0));
    EXPECT_EQ(families.rows.at(1).name, "steps 8");
    EXPECT_THAT(families.rows[1].cells, ElementsAre(ElementsAre(2, 3), ElementsAre(6, 7)));
    EXPECT_EQ(sentence_thrown_by([&] { layout_along(results, "seed"); }),
              "The sweep has no axis \"seed\" to plot against, expected one of training.steps, posterior.family.");
}

TEST(SweepScoresFigure, DrawsTheMainScoresErrorsInPercent)
{
    const auto results = results_by_hand(steps_families_seeds);
    const auto chart   = drawn_of("sweep_scores", results, SweepFolder("nowhere"));
    ASSERT_THAT(chart.panels, SizeIs(2));   // not the number of inputs, nor what has no direction
    EXPECT_EQ(chart.panels[0].title, "Error");
    EXPECT_EQ(chart.panels[0].y.unit, "%");
    EXPECT_THAT(lines_of(chart.panels[0]).at(0).y, ElementsAre(25, 25));
    EXPECT_THAT(lines_of(chart.panels[1]).at(0).y, ElementsAre(0.5, 2.5));   // of NLL 0, 1 and 2, 3
    EXPECT_THAT(lines_of(chart.panels[1]).at(1).y, ElementsAre(4.5, 6.5));
    EXPECT_EQ(chart.panels[1].y.unit, "nats per example");
    EXPECT_THAT(chart.caption, HasSubstr("8 of 8 runs done."));
    const auto entropy = drawn_of("sweep_scores", results, SweepFolder("nowhere"),
                                  {.axis = "posterior.family", .scores = {"test Mean predictive entropy"}, .view = {}});
    ASSERT_THAT(entropy.panels, SizeIs(1));
    EXPECT_THAT(entropy.panels[0].x.categories, ElementsAre("mean_field", "layer_scale"));
    EXPECT_THAT(
        sentence_thrown_by([&] {
            drawn_of("sweep_scores", results, SweepFolder("nowhere"), {.axis = {}, .scores = {"NLL"}, .view = {}});
        }),
        StartsWith("The cells of this sweep have no score \"NLL\", expected one of \"test Inputs\", \"test Error\""));
}

TEST(SweepTauFigure, DrawsTheTausOfTheDoneCells)
{
    auto results = results_by_hand(steps_families_seeds);
    results.scores[1].reset();
    const auto chart = drawn_of("sweep_tau", results, SweepFolder("nowhere"));
    ASSERT_THAT(chart.panels, SizeIs(1));
    EXPECT_EQ(chart.panels[0].title, "dense 1 weights");
    const auto line = lines_of(chart.panels[0]).at(0);
    EXPECT_NEAR(line.y.at(0), 0.1, 1e-12);
    EXPECT_NEAR(line.y.at(1), 0.35, 1e-12);
    for (auto& cell : results.scores)
        if (cell)
            cell->layers.front().tau.reset();
    EXPECT_THAT(sweep_figure("sweep_tau").why_not(results).value(), HasSubstr("weights with a spread"));
}

TEST(SweepFigures, StateWhyTheyAreUnavailable)
{
    auto results = results_by_hand(R"({"seed": [1, 2]})");
    EXPECT_THAT(sweep_figure("sweep_scores").why_not(results).value(), HasSubstr("varies only the seed"));
    EXPECT_FALSE(sweep_figure("sweep_training").why_not(results));
    EXPECT_THAT(sentence_thrown_by([&] { drawn_of("sweep_training", results, SweepFolder("nowhere")); }),
                StartsWith("nowhere: this figure needs the run.credence of a finished cell"));
    results.sweep.keep.archive = false;
    EXPECT_THAT(sweep_figure("sweep_training").why_not(results).value(),
                StartsWith("This figure needs the saved runs"));
    for (auto& scores : results.scores)
        scores.reset();
    results.sweep.keep.archive = true;
    for (const auto& figure : sweep_figures())
        EXPECT_TRUE(figure.why_not(results)) << figure.id;
    EXPECT_THAT(sentence_thrown_by([] { sweep_figure("boxplots"); }),
                StartsWith("There is no sweep figure \"boxplots\", expected one of sweep_scores, "));
}

TEST(SweepFigures, AreMadeFromTheSavedRuns)
{
    const FreshFolder place("figures");
    const SweepFolder folder(place.path);
    auto sweep       = small_sweep(R"({"posterior.family": ["mean_field", "layer_scale"], "seed": [1, 2]})");
    sweep.keep.views = {"roc"};
    const auto cells = cells_of(sweep);
    ASSERT_EQ(run_sweep(sweep, cells, folder, {.jobs = 1, .threads = 1}).done, 4u);
    const auto results = collect_sweep(sweep, cells, folder);

    const auto training = drawn_of("sweep_training", results, folder);
    EXPECT_EQ(training.panels.at(0).title, "Data loss per example");
    const auto losses = lines_of(training.panels[0]);
    ASSERT_THAT(losses, SizeIs(6));   // four thin ones, two means
    EXPECT_EQ(losses[4].name, "mean_field");
    const auto history = load_run(folder.cell(cells[0].hash) / "run.credence", WhichSnapshots::none).history;
    const auto loss = std::find_if(history.begin(), history.end(), [](const auto& point) { return point.data_loss; });
    EXPECT_EQ(losses[0].y.at(0), *loss->data_loss);
    ASSERT_TRUE(loss_roughness(history));
    EXPECT_EQ(results.scores[0]->loss_roughness, loss_roughness(history));
    EXPECT_GT(results.scores[0]->layers.at(0).relative_sd.value_or(0), 0);

    const auto roc = drawn_of("sweep_roc", results, folder);
    ASSERT_TRUE(roc.table);
    EXPECT_EQ(roc.table->rows.at(0).at(0), Cell(std::string("mean_field")));
    EXPECT_EQ(roc.table->rows.at(1).at(1), Cell(2L));
    EXPECT_THAT(drawn_of("sweep_doubt", results, folder).caption, HasSubstr("means over the seeds"));
    const auto weights = drawn_of("sweep_weights", results, folder);
    EXPECT_THAT(lines_of(weights.panels.at(0)), SizeIs(2));
    EXPECT_THAT(weights.caption, HasSubstr("the first finished seed"));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(sweep_figure("sweep_training").make(folder, results, {}, stop.get_token()));

    std::vector<std::string> drawn;
    const auto written = write_sweep_figures(results, folder,
                                             [&](const Chart& chart, const std::filesystem::path& stem) {
        EXPECT_EQ(chart.id, stem.filename().string());
        drawn.push_back(chart.id);
    });
    EXPECT_TRUE(written.whole);
    EXPECT_THAT(written.failed, SizeIs(0));
    EXPECT_THAT(written.made,
                IsSupersetOf({"sweep_scores", "sweep_tau", "sweep_training", "sweep_weights", "sweep_roc"}));
    EXPECT_EQ(written.made, drawn);
    ASSERT_THAT(written.left_out, SizeIs(1));   // the OOD data were not requested
    EXPECT_EQ(written.left_out[0].first, "sweep_doubt");
    EXPECT_THAT(text_in(place.path / "data" / "sweep_scores.csv"), HasSubstr("\"base\""));   // the sweep itself
    EXPECT_FALSE(write_sweep_figures(results, folder, {}, stop.get_token()).whole);
    std::filesystem::remove(folder.cell(cells[3].hash) / "run.credence");
    EXPECT_THAT(drawn_of("sweep_training", results, folder).caption, HasSubstr("Training of 3 runs"));
}

TEST(SweepCells, RecordTheRoughnessOfTheLoss)
{
    auto results = results_by_hand(R"({"seed": [1, 2]})");
    EXPECT_THAT(to_csv(cells_table(results)), Not(HasSubstr("loss roughness")));
    results.scores[1]->loss_roughness = 0.25;
    const auto table                  = cells_table(results);
    EXPECT_EQ(table.columns.back().name, "loss roughness");
    EXPECT_EQ(table.rows.at(0).back(), Cell(std::string()));
    EXPECT_EQ(table.rows.at(1).back(), Cell(0.25));
}

}   // namespace
}   // namespace credence
