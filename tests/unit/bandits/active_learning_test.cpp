// SPDX-License-Identifier: GPL-3.0-or-later
#include "bandits/active_learning.h"
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "unit/charts/series_of.h"
#include "unit/refusal.h"
#include "unit/runs/short_run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace credence {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

/// The predictions of one input from its sampled probabilities [S × K].
ClassPredictions predictions_from(const std::vector<double>& samples, int K)
{
    return class_predictions(SampleView<double>{samples, static_cast<int>(samples.size()) / K, 1, K});
}

double value_of(Acquisition function, const std::vector<double>& samples, int K)
{
    return acquisition_values(function, predictions_from(samples, K)).at(0);
}

/// A few milliseconds for each training.
ActiveLearningPlan small_plan(const std::string& family = "mean_field", ToyKind kind = ToyKind::two_moons)
{
    return {.study            = small_study(family, kind),
            .starting_labels  = 4,
            .labels_per_round = 3,
            .rounds           = 3,
            .repetitions      = 2,
            .samples          = 10};
}

LabellingResult result_of(const ActiveLearningPlan& plan, int threads = 2)
{
    std::optional<LabellingResult> result;
    Threads(threads).run([&] { result = run_active_learning(plan); });
    EXPECT_TRUE(result.has_value());
    return result.value_or(LabellingResult{});
}

std::string refusal_of(const ActiveLearningPlan& plan)
{
    return sentence_of_error([&] { run_active_learning(plan); });
}

TEST(Acquisition, BaldIsZeroIfAllSamplesAgree)
{
    EXPECT_NEAR(value_of(Acquisition::bald, {0.7, 0.3, 0.7, 0.3, 0.7, 0.3}, 2), 0, 1e-12);
    EXPECT_NEAR(value_of(Acquisition::bald, {0.5, 0.5, 0.5, 0.5}, 2), 0, 1e-12) << "all are equally uncertain";
}

TEST(Acquisition, BaldOfTwoCertainSamplesThatDisagreeIsLn2)
{
    EXPECT_NEAR(value_of(Acquisition::bald, {1, 0, 0, 1}, 2), std::log(2), 1e-12);
}

TEST(Acquisition, EntropyIsLargestAtTheUniformDistribution)
{
    const double most = value_of(Acquisition::entropy, {1.0 / 3, 1.0 / 3, 1.0 / 3}, 3);
    EXPECT_NEAR(most, std::log(3), 1e-12);
    for (const double p : {0.0, 0.2, 0.3, 0.4, 0.9})
        EXPECT_LT(value_of(Acquisition::entropy, {p, (1 - p) / 2, (1 - p) / 2}, 3), most);
    EXPECT_NEAR(value_of(Acquisition::entropy, {0, 1, 0}, 3), 0, 1e-12);
}

TEST(Acquisition, ValuesByHand)
{
    // p̄ = (0.75, 0.25): H(p̄) = 0.562335; H(0.9) = 0.325083, H(0.6) = 0.673012, mean 0.499047
    const std::vector<double> samples{0.9, 0.1, 0.6, 0.4};
    EXPECT_NEAR(value_of(Acquisition::entropy, samples, 2), 0.562335, 1e-6);
    EXPECT_NEAR(value_of(Acquisition::bald, samples, 2), 0.0632878, 1e-6);
    EXPECT_NEAR(value_of(Acquisition::margin, samples, 2), 1 - (0.75 - 0.25), 1e-12);
    EXPECT_NEAR(value_of(Acquisition::margin, {0.2, 0.5, 0.3}, 3), 0.8, 1e-12);
    EXPECT_NEAR(value_of(Acquisition::margin, {0.4, 0.4, 0.2}, 3), 1, 1e-12);
}

TEST(Acquisition, VarianceIsThatOfTheFunctionOverTheSamples)
{
    RegressionSamples samples{.n_samples = 2, .n_inputs = 2, .f = {1, 2, 3, 2}, .s = {1, 1, 1, 1}};
    EXPECT_THAT(variance_values(samples), ElementsAre(DoubleNear(1, 1e-12), DoubleNear(0, 1e-12)));
}

TEST(Acquisition, LargestValuesComeFirstAndEqualOnesInTheirOrder)
{
    const std::vector<double> values{0.5, 2, 0.5, 3, 2};
    EXPECT_THAT(largest(values, 4), ElementsAre(3, 1, 4, 0));
    EXPECT_THAT(largest(values, 9), ElementsAre(3, 1, 4, 0, 2)) << "there are only five";
    EXPECT_THAT(largest(std::vector<double>(4, 1.0), 2), ElementsAre(0, 1));
    EXPECT_THROW(largest(std::vector{1.0, std::numeric_limits<double>::quiet_NaN()}, 1), Error);
}

TEST(Acquisition, NamesAreReadBack)
{
    for (const auto function :
         {Acquisition::bald, Acquisition::entropy, Acquisition::margin, Acquisition::variance, Acquisition::random})
        EXPECT_EQ(acquisition_named(name_of(function)), function);
    EXPECT_THAT([] { acquisition_named("best"); },
                ThrowsMessage<Error>(HasSubstr("expected one of bald, entropy, margin, variance, random")));
}

TEST(ActiveLearning, TheLabelledSetGrowsByKAndHasNoRowTwiceAndNoTestRow)
{
    const auto result = result_of(small_plan());
    EXPECT_THAT(result.plan.functions,
                ElementsAre(Acquisition::bald, Acquisition::entropy, Acquisition::margin, Acquisition::random));
    ASSERT_THAT(result.runs, SizeIs(8));
    const auto& data = *result.experiment->data;
    std::set<std::vector<double>> test;
    for (std::size_t i = 0; i < data.test.n_rows; ++i)
        test.insert({data.test.row(i).begin(), data.test.row(i).end()});
    for (const auto& run : result.runs) {
        ASSERT_THAT(run.start, SizeIs(4));
        ASSERT_THAT(run.rounds, SizeIs(4));
        std::set<std::uint32_t> labelled(run.start.begin(), run.start.end());
        ASSERT_EQ(labelled.size(), 4U);
        for (std::size_t r = 0; r < run.rounds.size(); ++r) {
            const auto& round = run.rounds[r];
            EXPECT_EQ(round.labels, 4 + 3 * r);
            ASSERT_THAT(round.queried, SizeIs(3));
            EXPECT_TRUE(std::is_sorted(round.values.rbegin(), round.values.rend())) << title_of(run.function);
            for (const auto row : round.queried) {
                EXPECT_TRUE(labelled.insert(row).second) << "row " << row << " is labelled twice";
                EXPECT_LT(row, result.pool.size());
                EXPECT_FALSE(test.contains({data.training.row(row).begin(), data.training.row(row).end()}));
            }
        }
    }
}

TEST(ActiveLearning, StartsWithAsManyRowsOfEachClassAsPossibleTheSameForAllFunctions)
{
    const auto result = result_of(small_plan());
    const auto& label = result.experiment->data->training.labels;
    for (const auto& run : result.runs) {
        EXPECT_EQ(std::count_if(run.start.begin(), run.start.end(), [&](auto row) { return label[row] == 0; }), 2);
        EXPECT_EQ(run.start, result.runs[run.seed == 1 ? 0 : 4].start);
    }
    EXPECT_NE(result.runs[0].start, result.runs[4].start) << "another seed";
    EXPECT_EQ(result.runs[0].rounds[0].score, result.runs[1].rounds[0].score) << "the first training is the same";
}

TEST(ActiveLearning, TheResultDoesNotDependOnTheNumberOfThreads)
{
    const auto one = result_of(small_plan(), 1), three = result_of(small_plan(), 3);
    EXPECT_EQ(one.pool, three.pool);
    EXPECT_EQ(one.runs, three.runs);
}

TEST(ActiveLearning, EndsWhenThePoolIsUsedUp)
{
    auto plan      = small_plan();
    plan.pool      = 9;
    plan.functions = {Acquisition::entropy};
    double share   = 0;
    std::optional<LabellingResult> result;
    Threads(2).run([&] { result = run_active_learning(plan, {}, {.progress = [&](double s) { share = s; }}); });
    ASSERT_TRUE(result);
    EXPECT_EQ(share, 1);
    for (const auto& run : result->runs) {
        ASSERT_THAT(run.rounds, SizeIs(3));
        EXPECT_EQ(run.rounds.back().labels, 9U);
        EXPECT_THAT(run.rounds.back().queried, SizeIs(0));
    }
}

TEST(ActiveLearning, LearnsARegressionByItsVariance)
{
    const auto plan   = small_plan("mean_field", ToyKind::cubic);
    const auto result = result_of(plan);
    EXPECT_THAT(result.plan.functions, ElementsAre(Acquisition::variance, Acquisition::random));
    EXPECT_FALSE(result.grid) << "one input";
    EXPECT_GT(result.runs[0].rounds.back().values.at(0), 0);
    EXPECT_EQ(learning_chart(result).panels.at(0).y.label, "Test RMSE");
    EXPECT_THAT(query_map(result, Acquisition::variance, 0).message, HasSubstr("two inputs"));
}

TEST(ActiveLearning, StopsBetweenTwoTrainings)
{
    std::stop_source stop;
    std::optional<LabellingResult> result;
    Threads(1).run([&] {
        result = run_active_learning(small_plan(), stop.get_token(),
                                     {.progress = [&](double) { stop.request_stop(); }});
    });
    EXPECT_FALSE(result);
}

TEST(ActiveLearning, RefusesPlansThatDoNotSuitDataOrPosterior)
{
    auto plan      = small_plan("point_estimate");
    plan.functions = {Acquisition::bald};
    EXPECT_THAT(refusal_of(plan), HasSubstr("BALD is 0 everywhere for a posterior without samples"));
    plan           = small_plan("mean_field", ToyKind::cubic);
    plan.functions = {Acquisition::entropy};
    EXPECT_THAT(refusal_of(plan), HasSubstr("Entropy needs classes"));
    plan           = small_plan();
    plan.functions = {Acquisition::variance};
    EXPECT_THAT(refusal_of(plan), HasSubstr("Variance needs a numeric target"));
    plan                 = small_plan();
    plan.starting_labels = 1;
    EXPECT_THAT(refusal_of(plan), HasSubstr("starting labels: 1, expected at least 2, one for each class"));
    plan.starting_labels = 100;
    EXPECT_THAT(refusal_of(plan), HasSubstr("expected more than the 100 starting labels"));
    plan        = small_plan();
    plan.rounds = 0;
    EXPECT_THAT(refusal_of(plan), HasSubstr("rounds: 0, expected at least 1"));
    plan                           = small_plan();
    plan.study.split.test_fraction = 0;
    EXPECT_THAT(refusal_of(plan), HasSubstr("needs test rows"));
}

TEST(ActiveLearning, APointEstimateHasNoBald)
{
    EXPECT_THAT(result_of(small_plan("point_estimate")).plan.functions,
                ElementsAre(Acquisition::entropy, Acquisition::margin, Acquisition::random));
}

/// Accuracies of three repetitions after one training.
LabellingResult three_repetitions()
{
    auto result           = result_of(small_plan());
    result.plan.functions = {Acquisition::entropy};
    const auto first      = result.runs[1];
    result.runs.clear();
    for (const double accuracy : {0.5, 0.6, 0.7}) {
        auto run   = first;
        run.rounds = {{.labels = 4, .score = accuracy, .nll = 1}, {.labels = 7, .score = 0.9, .nll = 0.5}};
        result.runs.push_back(run);
    }
    return result;
}

TEST(ActiveLearningCharts, ShowTheMeanAndABandOfOneStandardDeviation)
{
    const auto chart = learning_chart(three_repetitions());
    ASSERT_THAT(chart.panels, SizeIs(2));
    const auto line = series_of<Line>(chart.panels[0]).at(0);
    const auto band = series_of<Band>(chart.panels[0]).at(0);
    EXPECT_THAT(line.x, ElementsAre(4, 7));
    EXPECT_THAT(line.y, ElementsAre(DoubleNear(60, 1e-9), DoubleNear(90, 1e-9)));
    EXPECT_THAT(band.lower, ElementsAre(DoubleNear(50, 1e-9), DoubleNear(90, 1e-9)));
    EXPECT_THAT(band.upper, ElementsAre(DoubleNear(70, 1e-9), DoubleNear(90, 1e-9)));
    EXPECT_THAT(series_of<Line>(chart.panels[1]).at(0).y, ElementsAre(1, 0.5));
    EXPECT_THAT(chart.caption, HasSubstr("mean over 3 repetitions; band: mean ± standard deviation"));
    ASSERT_TRUE(chart.table);
    ASSERT_THAT(chart.table->rows, SizeIs(1));
    EXPECT_EQ(chart.table->rows[0].at(0), Cell(std::string("Entropy")));
    EXPECT_EQ(chart.table->rows[0].at(1), Cell(7L));
}

TEST(ActiveLearningCharts, TheMapHasLabelledRowsFilledThePoolHollowAndTheNextOnesNumbered)
{
    const auto result = result_of(small_plan());
    const auto chart  = query_map(result, Acquisition::bald, 2);
    ASSERT_THAT(chart.panels, SizeIs(1));
    const auto& panel = chart.panels[0];
    EXPECT_THAT(panel.title, HasSubstr("BALD, 10 labelled rows"));
    const auto heat = series_of<HeatMap>(panel).at(0);
    EXPECT_EQ(heat.z.size(), static_cast<std::size_t>(heat.nx) * static_cast<std::size_t>(heat.ny));
    std::size_t filled = 0, hollow = 0;
    for (const auto& points : series_of<Points>(panel))
        if (points.labels.empty())
            (points.filled ? filled : hollow) += points.x.size();
    EXPECT_EQ(filled, 10U);
    EXPECT_EQ(hollow, result.pool.size() - 10);
    const auto next = series_of<Points>(panel).back();
    EXPECT_THAT(next.labels, ElementsAre("1", "2", "3"));
    EXPECT_EQ(next.x.at(0), result.experiment->data->training.row(result.runs[0].rounds[2].queried[0])[0]);
    EXPECT_THAT(query_map(result, Acquisition::random, 0).caption, HasSubstr("does not use"));
    EXPECT_FALSE(query_map(result, Acquisition::bald, 9).message.empty());
}

TEST(ActiveLearningCharts, TheTableListsTheQueriedRowsInTheirOrder)
{
    const auto result = result_of(small_plan());
    const auto chart  = query_table(result, Acquisition::margin);
    ASSERT_TRUE(chart.table);
    ASSERT_THAT(chart.table->rows, SizeIs(4 + 4 * 3));
    const auto& run = result.first_run(Acquisition::margin);
    EXPECT_EQ(chart.table->rows[4].at(2), Cell(static_cast<long>(result.pool[run.rounds[0].queried[0]])));
    EXPECT_EQ(chart.table->rows.back().at(0), Cell(4L));
    EXPECT_THAT(labelling_table(result).rows, SizeIs(8 * 4));
    EXPECT_THAT(labelling_table(result).rows, Each(SizeIs(5)));
    EXPECT_THAT(queries_table(result).rows, SizeIs(8 * (4 + 4 * 3)));
}

}   // namespace
}   // namespace credence
