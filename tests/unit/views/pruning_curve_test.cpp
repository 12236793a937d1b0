// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/weights.h"

#include "foundation/error.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

using namespace credence;
using testing::HasSubstr;
using testing::Not;

namespace {

ViewOptions options_pruning(double share)
{
    auto options  = coarse();
    options.prune = {.share = share};
    return options;
}

std::string csv_of(const Chart& chart) { return to_csv(data_table(chart)); }

const RunSnapshot& estimate_to_prune()
{
    static const auto run = snapshot_of(small_study("point_estimate"));
    return run;
}

}   // namespace

TEST(PrunedScores, WithoutPruningAreThoseOfTheRun)
{
    const auto whole  = pruned_scores(moons(), {}, 30, 0).value();
    const auto scored = scored_predictions(moons(), {}, {});
    const auto expect = classification_scores(scored->set.classes, scored->labels);
    EXPECT_EQ(whole.n_draws, 30);
    EXPECT_EQ(whole.rows, scored->rows.size());
    EXPECT_EQ(whole.classes->error, expect.error);
    EXPECT_NEAR(whole.classes->nll, expect.nll, 1e-6);
    EXPECT_NEAR(whole.classes->ece, expect.ece, 1e-6);
}

TEST(PrunedScores, OfANetworkWithoutWeightsAreThoseOfAGuess)
{
    for (const int draws : {0, 5}) {
        const auto none = pruned_scores(moons(), {.share = 1}, draws, 0).value();
        EXPECT_EQ(none.n_draws, draws);
        EXPECT_NEAR(none.classes->nll, std::log(2), 1e-6);
    }
}

TEST(PrunedScores, AtTheMeanWeightsAreThoseOfAPointEstimate)
{
    const auto by_draws = pruned_scores(estimate_to_prune(), {.share = 0.5}, 1, 0).value(),
               at_means = pruned_scores(estimate_to_prune(), {.share = 0.5}, 0, 0).value();
    EXPECT_EQ(at_means.classes->nll, by_draws.classes->nll);
    EXPECT_EQ(at_means.rule.by, PruneBy::magnitude) << "its weights have no spread";
    EXPECT_EQ(at_means.n_draws, 0);
}

TEST(PrunedScores, OfSomeRowsStateHowMany)
{
    const auto some = pruned_scores(moons(), {.share = 0.5}, 0, 5).value();
    EXPECT_EQ(some.rows, 5u);
    EXPECT_GT(some.all_rows, 5u);
    EXPECT_EQ(some.classes->n, 5);
}

TEST(PrunedScores, OfANumericTargetAreTheErrorInItsUnits)
{
    const auto curve = snapshot_of(small_study("mean_field", ToyKind::blundell_curve));
    const auto none  = pruned_scores(curve, {.share = 1}, 0, 0).value();
    EXPECT_FALSE(none.classes);
    const auto set = view_support::scored_set(*curve.experiment);
    double squares = 0;
    for (const double y : set.data->targets) {
        const double miss = y - curve.experiment->data->target_mean;
        squares += miss * miss;
    }
    EXPECT_NEAR(none.rmse, std::sqrt(squares / static_cast<double>(set.data->n_rows)), 1e-5);
}

TEST(PruningCurve, HasThreeOrdersWithACommonStartAndTheSharesOfThePublishedTable)
{
    const auto chart = drawn("pruning_curve", moons());
    ASSERT_EQ(chart.panels.size(), 3u);
    const auto& error = chart.panels[0];
    std::vector<Line> lines;
    std::vector<Points> drawn_marks;
    for (const auto& series : error.series) {
        if (const auto* line = std::get_if<Line>(&series))
            lines.push_back(*line);
        if (const auto* points = std::get_if<Points>(&series))
            drawn_marks.push_back(*points);
    }
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0].name, "|μ|/σ");
    EXPECT_EQ(lines[1].name, "|μ|");
    EXPECT_EQ(lines[2].name, "σ");
    EXPECT_EQ(lines[0].y.front(), lines[1].y.front());
    EXPECT_EQ(lines[0].y.front(), lines[2].y.front());
    ASSERT_EQ(drawn_marks.size(), 1u);
    EXPECT_EQ(drawn_marks[0].name, "|μ|/σ, 10 samples");
    EXPECT_THAT(drawn_marks[0].x, testing::ElementsAre(0, 50, 75, 95, 98));
    ASSERT_TRUE(chart.table);
    EXPECT_EQ(chart.table->columns.size(), 8u);
    EXPECT_EQ(chart.table->rows.size(), 15u);
    const auto at_half = pruned_scores(moons(), {.share = 0.5}, 0, 0).value();
    EXPECT_EQ(std::get<double>(chart.table->rows[1][1]), 50);
    EXPECT_EQ(std::get<double>(chart.table->rows[1][2]), 100 * at_half.classes->error);
    EXPECT_EQ(std::get<double>(chart.table->rows[1][3]), at_half.classes->nll);
}

TEST(PruningCurve, WithoutSpreadOrdersWeightsBySizeOnly)
{
    const auto chart = drawn("pruning_curve", estimate_to_prune());
    EXPECT_EQ(chart.table->rows.size(), 5u);
    EXPECT_EQ(std::get<std::string>(chart.table->rows[0][0]), "|μ|");
    EXPECT_EQ(chart.table->columns.size(), 5u) << "all of its draws agree";
}

TEST(PruningCurve, OfSeveralRunsHasACurveForEach)
{
    const std::vector<RunSnapshot> runs{moons(), estimate_to_prune()};
    const auto chart = view("pruning_curve").compare(runs, options_pruning(0.75), {}).value();
    EXPECT_EQ(chart.table->rows.size(), 10u);
    EXPECT_THAT(chart.caption, HasSubstr("Seed 1"));
    const auto numbers = view("pruning_curve")
                             .compare(
                                 std::vector{moons(), snapshot_of(small_study("mean_field", ToyKind::blundell_curve))},
                                 {}, {})
                             .value();
    EXPECT_THAT(numbers.message, HasSubstr("cannot be compared. This view needs classes"));
    EXPECT_THAT(view("pruning_curve").compare({}, {}, {})->message, HasSubstr("No run is selected"));
}

TEST(Pruning, EveryViewFollowsOrStaysUnprunedAndStatesWhich)
{
    const std::set<std::string> stay_whole{
        "training_curves",  "overlay_training_curves", "layers_over_training", "schedule",
        "prior_and_start",  "compare_truth",           "truth_boxplots",       "landscape",
        "compare_distances"};
    for (const auto& v : views()) {
        if (!v.applies(*moons().experiment))
            continue;
        SCOPED_TRACE(v.id);
        const auto whole = drawn(v.id, moons(), coarse());
        Chart half;
        try {
            half = drawn(v.id, moons(), options_pruning(0.5));
        } catch (const Error& error) {   // a logit that is the same in all draws has no Dirichlet
            EXPECT_THAT(error.what(), HasSubstr("variance of logit"));
            continue;
        }
        if (v.when_pruned == WhenPruned::whole) {
            EXPECT_EQ(csv_of(half), csv_of(whole));
            EXPECT_THAT(half.caption, Not(HasSubstr("Pruned")));
            EXPECT_TRUE(stay_whole.contains(v.id));
        } else if (half.message.empty()) {
            const bool shows = half.caption.find("50 % of weights removed by |μ|/σ") != std::string::npos;
            EXPECT_EQ(shows, v.id != "pruning_curve") << half.caption;   // which shows all shares
        }
    }
    for (const char* id : {"decision_map", "boxplots", "layers", "scores"})
        EXPECT_NE(csv_of(drawn(id, moons(), options_pruning(0.5))), csv_of(drawn(id, moons(), coarse()))) << id;
    EXPECT_EQ(csv_of(drawn("boxplots", moons(), options_pruning(0))), csv_of(drawn("boxplots", moons(), coarse())));
}

TEST(Weights, OfSeveralRunsAreOverlaid)
{
    const std::vector<RunSnapshot> runs{moons(), estimate_to_prune()};
    const auto chart = view("weights").compare(runs, {}, {}).value();
    ASSERT_EQ(chart.panels.size(), 1u);
    ASSERT_EQ(chart.panels[0].series.size(), 2u);
    EXPECT_THAT(std::get<Line>(chart.panels[0].series[0]).name, HasSubstr("(one sample)"));
    EXPECT_THAT(std::get<Line>(chart.panels[0].series[1]).name, Not(HasSubstr("(one sample)")));
    const auto n = static_cast<long>(moons().snapshot->posterior->layout().size());
    EXPECT_EQ(std::get<long>(chart.table->rows[0][1]), n);
    const auto half = view("weights").compare(runs, options_pruning(0.5), {}).value();
    EXPECT_EQ(std::get<long>(half.table->rows[0][1]), n - n / 2);
    EXPECT_EQ(std::get<long>(half.table->rows[0][2]), n / 2);
    EXPECT_THAT(view("weights").compare({}, {}, {})->message, HasSubstr("No run is selected"));
    EXPECT_THAT(view("weights").compare(runs, options_pruning(1), {})->message, HasSubstr("No weights are left"));
}
