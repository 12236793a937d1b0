// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/enough_samples.h"

#include "posterior/sample_set.h"
#include "views/scores.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

EnoughSamples with_errors(double nll, double end)
{
    return {.nll      = {{10, 1.2, 4 * nll}, {200, 1.1, nll}},
            .lower    = {{10, -1, 4 * end}, {200, -1, end}},
            .upper    = {{10, 1, 4 * end}, {200, 1, end}},
            .input    = "test row 3",
            .interval = "95 % predictive interval"};
}

double score_in(const Table& table, const std::string& name)
{
    for (const auto& row : table.rows)
        if (std::get<std::string>(row[0]) == name)
            return std::get<double>(row[1]);
    return NAN;
}

}   // namespace

TEST(EnoughSamples, AreSuggestedByTheSquareRootRate)
{
    // width 2: an end is accurate at 0.04
    EXPECT_EQ(suggested_samples(with_errors(0.005, 0.001)), 50);   // 200 · (0.005/0.01)²
    EXPECT_EQ(suggested_samples(with_errors(0.0001, 0.02)), 50);   // 200 · (0.02/0.04)²
    EXPECT_EQ(suggested_samples(with_errors(0.0001, 0.0001)), 10);
    EXPECT_EQ(suggested_samples(with_errors(0.0001, 0)), 10);
    EXPECT_EQ(suggested_samples(with_errors(0.05, 0.02)), 5000);
    EXPECT_EQ(suggested_samples(with_errors(NAN, 0.02)), std::nullopt);
    EXPECT_EQ(sentence_of_suggestion(with_errors(0.005, 0.001)), "About 50 samples are enough; this run uses 200.");
    EXPECT_EQ(sentence_of_suggestion(with_errors(0.025, 0.001)),
              "About 1,300 samples are needed, more than the 200 of this run.");   // 1,250
    EXPECT_THAT(sentence_of_suggestion(with_errors(NAN, 1)), HasSubstr("No number of samples can be suggested"));
}

TEST(EnoughSamples, TheSuggestedNumberIsMarkedOnlyWhereItIsAvailable)
{
    const auto marked = [](const Chart& chart) { return std::holds_alternative<Rule>(chart.panels[0].series.back()); };
    EXPECT_TRUE(marked(to_chart(with_errors(0.005, 0.001))));
    EXPECT_FALSE(marked(to_chart(with_errors(0.05, 0.001))));
    const auto chart = to_chart(with_errors(0.005, 0.001));
    const auto& band = std::get<Band>(chart.panels[0].series[0]);
    EXPECT_NEAR(band.upper[1], 1.11, 1e-12);
    EXPECT_NEAR(band.lower[1], 1.09, 1e-12);
    EXPECT_TRUE(chart.panels[0].x.logarithmic);
}

TEST(EnoughSamples, WithAllSamplesTheScoresAreThoseOfTheRun)
{
    for (const auto kind : {ToyKind::cubic, ToyKind::two_moons}) {
        const auto run   = snapshot_of(small_study("mean_field", kind));
        const auto chart = drawn("enough_samples", run);
        const auto all   = scores(run);
        EXPECT_NEAR(score_in(*chart.table, "NLL"), score_in(all, "NLL"), 1e-6 * std::abs(score_in(all, "NLL")));
        if (kind == ToyKind::cubic) {
            EXPECT_NEAR(score_in(*chart.table, "RMSE"), score_in(all, "RMSE"), 1e-6 * score_in(all, "RMSE"));
        }
        EXPECT_EQ(chart.panels.size(), kind == ToyKind::cubic ? 3u : 2u);
        const auto& line = std::get<Line>(chart.panels[0].series[1]);
        EXPECT_EQ(line.x.front(), 10);
        EXPECT_EQ(line.x.back(), 30);
        EXPECT_THAT(chart.caption, HasSubstr("at test row 0"));
        EXPECT_GT(score_in(*chart.table, "Upper end of the interval"),
                  score_in(*chart.table, "Lower end of the interval"));
    }
}

TEST(EnoughSamples, NeedSeveralDifferentSamples)
{
    EXPECT_THAT(refusal_of("enough_samples", snapshot_of(small_study("point_estimate"))),
                HasSubstr("so one is enough"));
    auto few               = small_study("mean_field");
    few.prediction.samples = 8;
    EXPECT_THAT(drawn("enough_samples", snapshot_of(few)).message, HasSubstr("at least 12 different samples, found 8"));
}

TEST(EnoughSamples, OfAChainAreInItsOrderAndOfAnEnsembleIndependent)
{
    const auto& run     = moons();
    const auto& layout  = run.snapshot->posterior->layout();
    const auto of_draws = [&](const std::vector<int>& chains) {
        auto copy       = std::make_shared<Snapshot>(*run.snapshot);
        const auto n    = chains.size();
        copy->posterior = std::make_shared<SampleSet>(layout, aligned_vector<float>(n * layout.size(), 0.1F),
                                                      SampleOrigin{chains, std::vector<long>(n, 1)});
        return RunSnapshot(run.experiment, copy, run.history);
    };
    EXPECT_TRUE(order_of_samples(run, 30).independent);
    EXPECT_TRUE(order_of_samples(of_draws({0, 1, 2, 3}), 4).independent);
    const auto chained = of_draws({0, 1, 0, 1, 0, 1});
    const auto order   = order_of_samples(chained, 6);
    EXPECT_FALSE(order.independent);
    const auto* set = sample_set_of(*chained.snapshot->posterior);
    std::vector<std::size_t> draws;
    for (const int s : order.order)
        draws.push_back(
            set->number_of({chained.experiment->study.seed, Stream::prediction, static_cast<std::uint32_t>(s)}));
    EXPECT_THAT(draws, testing::ElementsAre(0, 2, 4, 1, 3, 5)) << "first one chain, then the other";
}
