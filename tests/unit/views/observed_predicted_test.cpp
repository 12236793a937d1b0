// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/regression_rows.h"

#include "foundation/parallel.h"
#include "network/noise_distribution.h"
#include "views/view_support.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

const RunSnapshot& curve_with_rows()
{
    static const auto run = snapshot_of(small_study("mean_field", ToyKind::cubic));
    return run;
}

/// Ten rows with mean i and standard deviation 2, all samples equal: the interval is i ± z · 2.
RegressionRows ten_equal_rows(const std::vector<double>& deviations)
{
    RegressionSamples samples{.n_samples = 3, .n_inputs = 10, .f = {}, .s = {}};
    std::vector<std::uint32_t> numbers;
    std::vector<double> targets;
    for (int s = 0; s < samples.n_samples; ++s)
        for (int i = 0; i < samples.n_inputs; ++i) {
            samples.f.push_back(i);
            samples.s.push_back(2);
        }
    for (std::uint32_t i = 0; i < 10; ++i) {
        numbers.push_back(3 * i);
        targets.push_back(i + 2 * deviations[i]);
    }
    RegressionRows rows{.level = 0.9, .n_samples = 3, .n_all = 30, .name = "test set"};
    append(rows, samples, numbers, targets);
    return rows;
}

const std::vector<double> eight_inside{0, 0.5, -0.5, 1.6, -1.6, 1.64, -1.64, 1, 1.65, -3};

const Points& points_named(const Panel& panel, std::string_view start)
{
    for (const auto& series : panel.series)
        if (const auto* points = std::get_if<Points>(&series); points && points->name.starts_with(start))
            return *points;
    throw Error("no points named " + std::string(start));
}

}   // namespace

TEST(RegressionRows, OfEqualSamplesHaveTheIntervalOfTheNormalDistribution)
{
    const auto rows = ten_equal_rows(eight_inside);
    const double z  = 1.6448536269514722;   // scipy.stats.norm.ppf(0.95)
    for (std::size_t i = 0; i < rows.n(); ++i) {
        EXPECT_NEAR(rows.mean[i], static_cast<double>(i), 1e-12);
        EXPECT_NEAR(rows.sd[i], 2, 1e-12);
        EXPECT_NEAR(rows.lower[i], static_cast<double>(i) - 2 * z, 1e-9);
        EXPECT_NEAR(rows.upper[i], static_cast<double>(i) + 2 * z, 1e-9);
        EXPECT_NEAR(rows.standardised(i), eight_inside[i], 1e-12);
    }
    EXPECT_EQ(rows.n_inside(), 8);
}

TEST(RegressionRows, HaveTheVarianceOfTheFunctionAndOfTheNoise)
{
    RegressionRows rows;
    const RegressionSamples samples{.n_samples = 2, .n_inputs = 1, .f = {1, 3}, .s = {0.5, 1.5}};
    append(rows, samples, std::vector<std::uint32_t>{0}, std::vector<double>{2});
    EXPECT_DOUBLE_EQ(rows.mean[0], 2);
    EXPECT_DOUBLE_EQ(rows.sd[0], std::sqrt(1 + (0.25 + 2.25) / 2));
}

TEST(RegressionRows, AreTheSameBitsForAnyNumberOfThreads)
{
    RegressionSamples samples{.n_samples = 5, .n_inputs = 100, .f = {}, .s = {}};
    std::vector<std::uint32_t> numbers(100);
    for (int k = 0; k < 500; ++k) {
        samples.f.push_back(std::sin(k));
        samples.s.push_back(1 + 0.5 * std::cos(k));
    }
    const std::vector<double> targets(100, 0.3);
    const auto on = [&](int threads) {
        RegressionRows rows;
        Threads(threads).run([&] { append(rows, samples, numbers, targets); });
        return rows;
    };
    const auto one = on(1), two = on(2), seven = on(7);
    EXPECT_EQ(one.lower, two.lower);
    EXPECT_EQ(one.lower, seven.lower);
    EXPECT_EQ(one.sd, seven.sd);
}

TEST(RegressionRows, AreTestRowsAndAreComputedOnce)
{
    const auto rows  = regression_rows(curve_with_rows(), {}, {});
    const auto& data = *curve_with_rows().experiment->data;
    ASSERT_EQ(rows->n(), data.test.n_rows);
    EXPECT_EQ(rows->observed, data.test.targets);
    EXPECT_EQ(rows, regression_rows(curve_with_rows(), {}, {}));
    ViewOptions few;
    few.rows        = 4;
    const auto some = regression_rows(curve_with_rows(), few, {});
    EXPECT_THAT(some->rows, testing::ElementsAre(0, 3, 6, 9));
    EXPECT_NEAR(some->upper[1], rows->upper[3], 1e-5 * std::abs(rows->upper[3]));
}

TEST(ObservedPredicted, CountsTheRowsInsideWithAnExactBinomialInterval)
{
    const auto chart = to_chart_of_observed(ten_equal_rows(eight_inside));
    ASSERT_EQ(chart.panels.size(), 1u);
    const auto& panel = chart.panels[0];
    EXPECT_EQ(panel.note, "8 of 10 rows inside, 80.0 %");
    // scipy.stats.beta.ppf([0.025, 0.975], [8, 9], [3, 2])
    EXPECT_THAT(chart.caption, HasSubstr("8 of 10 rows (80.0 %) are inside their 90 % interval; exact 95 % interval of "
                                         "that share: 44.4 % to 97.5 %."));
    const auto &inside = points_named(panel, "Inside"), &outside = points_named(panel, "Outside");
    EXPECT_EQ(inside.name, "Inside the 90 % interval");
    EXPECT_EQ(inside.x.size(), 8u);
    EXPECT_THAT(outside.data_rows,
                testing::ElementsAre(DataRow{DataRow::Part::scored, 24}, DataRow{DataRow::Part::scored, 27}));
    EXPECT_THAT(outside.y, testing::ElementsAre(testing::DoubleNear(8, 1e-12), testing::DoubleNear(9, 1e-12)));
    EXPECT_EQ(panel.x.range, panel.y.range);
    EXPECT_TRUE(panel.equal_aspect);
    EXPECT_THAT(panel.words_at(8 + 3.3, 8), HasSubstr("Row 24\nObserved: 11.3\nPredicted: 8, from 4.71 to 11.29"));
    EXPECT_EQ(panel.words_at(0, 9), "");
}

TEST(ObservedPredicted, StatesHowManyRowsAreDrawn)
{
    ViewOptions few;
    few.rows = 4;
    EXPECT_THAT(drawn("observed_predicted", curve_with_rows(), few).caption,
                HasSubstr("Rows: the test set, 4 of 12, evenly spaced."));
    EXPECT_THAT(drawn("observed_predicted", curve_with_rows()).caption, HasSubstr("Rows: the test set. Data: "));
    EXPECT_THAT(refusal_of("observed_predicted", moons()), HasSubstr("need a numeric target"));
}

TEST(ObservedPredicted, SeveralRunsAreSideBySideOnOneScale)
{
    auto study       = small_study("mean_field", ToyKind::cubic);
    study.name       = "other split";
    study.split.seed = 7;
    const std::vector<RunSnapshot> runs{curve_with_rows(), curve_with_rows(), snapshot_of(study)};
    const auto chart = view("observed_predicted").compare(runs, {}, {}).value();
    ASSERT_EQ(chart.panels.size(), 3u);
    EXPECT_EQ(chart.columns, 2);
    for (const auto& panel : chart.panels) {
        EXPECT_EQ(panel.x.range, chart.panels[0].x.range);
        EXPECT_EQ(panel.y.range, chart.panels[0].x.range);
    }
    const auto linked = [&](std::size_t panel) {
        std::size_t n = 0;
        for (const auto& series : chart.panels[panel].series)
            if (const auto* points = std::get_if<Points>(&series))
                n += points->data_rows.size();
        return n;
    };
    EXPECT_EQ(linked(0), 12u);
    EXPECT_EQ(linked(1), 12u);
    EXPECT_EQ(linked(2), 0u) << "its rows are others";
    const std::vector<RunSnapshot> classes{curve_with_rows(), moons()};
    EXPECT_THAT(view("observed_predicted").compare(classes, {}, {})->message, HasSubstr("cannot be compared"));
    EXPECT_EQ(view("observed_predicted").compare({}, {}, {})->message, "No run is selected. Tick the runs to compare.");
}
