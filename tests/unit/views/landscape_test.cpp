// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/network_density.h"
#include "posterior/sample_set.h"
#include "unit/charts/series_of.h"
#include "unit/random_values.h"
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

namespace credence {
namespace {

using ::testing::HasSubstr;

/// A run with a few recorded steps: the start moved along a bent line.
RunSnapshot bent_path(const std::string& family = "mean_field", int n_steps = 5)
{
    RunSnapshot run    = snapshot_of(small_study(family));
    const auto& layout = run.experiment->start->layout();
    const auto means   = run.experiment->start->means();
    for (int step = 0; step < n_steps; ++step) {
        aligned_vector<float> weights(means.begin(), means.end());
        weights[0] += 0.5f * static_cast<float>(step);
        weights[3] += 0.2f * static_cast<float>(step * step);
        weights[5] += step == 3 ? 0.7f : 0;
        auto snapshot        = std::make_shared<Snapshot>();
        snapshot->posterior  = std::make_shared<SampleSet>(layout, std::move(weights));
        snapshot->point.step = step;
        run.recorded.push_back(snapshot);
    }
    run.snapshot = run.recorded.back();
    return run;
}

double landscape_number(const Chart& chart, std::size_t row, std::size_t column)
{
    return std::get<double>(chart.table->rows.at(row).at(column));
}

double potential_of(const RunSnapshot& run, std::span<const double> weights, bool with_prior = true)
{
    const auto& data = *run.experiment->data;
    NetworkDensity density(run.experiment->model.architecture, run.experiment->model.likelihood, run.experiment->prior,
                           data.training_inputs, Targets{data.training.labels, {}}, NetworkDensity::Way::network);
    std::vector<double> gradient(weights.size());
    density.evaluate(weights, gradient);
    return -density.log_likelihood() - (with_prior ? density.log_prior() : 0);
}

std::vector<double> weights_of(const RunSnapshot& run, std::size_t step)
{
    const auto means = run.recorded.at(step)->posterior->means();
    return {means.begin(), means.end()};
}

TEST(LandscapeView, HasTheFirstTheMiddleAndTheLastStepInItsPlane)
{
    const auto run   = bent_path();
    const auto chart = drawn("landscape", run, coarse());
    ASSERT_TRUE(chart.table);
    ASSERT_EQ(chart.table->rows.size(), 5u);
    EXPECT_EQ(std::get<std::string>(chart.table->rows[2][0]), "step 2");
    const auto first = weights_of(run, 0);
    for (std::size_t step = 0; step < 5; ++step) {
        const auto w   = weights_of(run, step);
        double squares = 0;
        for (std::size_t i = 0; i < w.size(); ++i)
            squares += (w[i] - first[i]) * (w[i] - first[i]);
        const double x = landscape_number(chart, step, 1), y = landscape_number(chart, step, 2),
                     away = landscape_number(chart, step, 3);
        EXPECT_NEAR(x * x + y * y + away * away, squares, 1e-9) << step;
        EXPECT_NEAR(away, step == 3 ? 0.7 : 0, 1e-6) << step;
        EXPECT_NEAR(landscape_number(chart, step, 4), potential_of(run, w), 1e-8) << step;
    }
    EXPECT_NEAR(landscape_number(chart, 4, 1), std::hypot(2.0, 3.2), 1e-6) << "e₁ points to the last step";
    EXPECT_NEAR(landscape_number(chart, 4, 2), 0, 1e-9);
    EXPECT_GT(landscape_number(chart, 2, 2), 0);
    EXPECT_EQ(series_of<Line>(chart.panels[0]).at(0).x.size(), 5u);
    EXPECT_THAT(chart.caption, HasSubstr("origin at step 0, e₁ towards step 4, e₂ towards step 2"));
    EXPECT_THAT(chart.caption, HasSubstr("negative log posterior"));
}

TEST(LandscapeView, ColoursAreTheLogarithmOfTheDifferenceAtEachCell)
{
    const auto run    = bent_path();
    const auto chart  = drawn("landscape", run, coarse());
    const auto& heat  = map_of(chart.panels.at(0));
    const auto origin = weights_of(run, 0), last = weights_of(run, 4), middle = weights_of(run, 2);
    std::vector<double> e1(origin.size()), e2(origin.size());
    double length = 0, along = 0, rest = 0;
    for (std::size_t i = 0; i < e1.size(); ++i)
        length += (last[i] - origin[i]) * (last[i] - origin[i]);
    for (std::size_t i = 0; i < e1.size(); ++i) {
        e1[i] = (last[i] - origin[i]) / std::sqrt(length);
        along += e1[i] * (middle[i] - origin[i]);
    }
    for (std::size_t i = 0; i < e1.size(); ++i) {
        e2[i] = middle[i] - origin[i] - along * e1[i];
        rest += e2[i] * e2[i];
    }
    std::vector<double> values;
    for (int j = 0; j < heat.ny; ++j)
        for (int i = 0; i < heat.nx; ++i) {
            const double x = heat.x.first + (heat.x.second - heat.x.first) * i / (heat.nx - 1);
            const double y = heat.y.first + (heat.y.second - heat.y.first) * j / (heat.ny - 1);
            auto w         = origin;
            for (std::size_t k = 0; k < w.size(); ++k)
                w[k] += x * e1[k] + y * e2[k] / std::sqrt(rest);
            values.push_back(potential_of(run, w));
        }
    double lowest = *std::min_element(values.begin(), values.end());
    for (std::size_t step = 0; step < 5; ++step)
        lowest = std::min(lowest, landscape_number(chart, step, 4));
    for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(heat.z[i], std::log10(1 + values[i] - lowest), 1e-5) << i;
}

TEST(LandscapeView, WithoutAPriorIsTheTrainingLoss)
{
    const auto run   = bent_path("point_estimate");
    const auto chart = drawn("landscape", run, coarse());
    EXPECT_NEAR(landscape_number(chart, 1, 4), potential_of(run, weights_of(run, 1), false), 1e-8);
    EXPECT_THAT(chart.caption, HasSubstr("The training loss U"));
}

TEST(LandscapeView, OfChainsHasThePlaneThroughThreeOfThem)
{
    auto run           = bent_path();
    const auto& layout = run.experiment->start->layout();
    constexpr int n    = 12;
    const auto noise   = normals(n * layout.size(), 5, 0.3);
    aligned_vector<float> draws(noise.begin(), noise.end());
    SampleOrigin origin;
    for (int s = 0; s < n; ++s) {
        origin.chains.push_back(s / 3);
        origin.steps.push_back(s % 3);
    }
    auto snapshot       = std::make_shared<Snapshot>();
    snapshot->posterior = std::make_shared<SampleSet>(layout, std::move(draws), origin);
    run.snapshot        = snapshot;
    const auto chart    = drawn("landscape", run, coarse());
    ASSERT_EQ(chart.table->rows.size(), 12u);
    for (std::size_t s = 0; s < n; ++s) {
        if (s == 11 || s == 8 || s == 5)   // the last draws of three chains
            EXPECT_NEAR(landscape_number(chart, s, 3), 0, 1e-6) << s;
        else
            EXPECT_GT(landscape_number(chart, s, 3), 0.1) << s;
    }
    const auto points = series_of<Points>(chart.panels.at(0));
    ASSERT_EQ(points.size(), 5u) << "four chains, and the points of the plane";
    EXPECT_EQ(points[0].x.size(), 3u);
    EXPECT_THAT(chart.caption, HasSubstr("origin at chain 3, draw 11, e₁ towards chain 2, draw 8"));
}

TEST(LandscapeView, WithoutAPathUsesARandomDirectionAndStatesThis)
{
    auto run = bent_path();
    run.recorded.clear();
    const auto chart = drawn("landscape", run, coarse());
    EXPECT_EQ(chart.table->rows.size(), 2u);
    EXPECT_THAT(chart.caption, HasSubstr("directions that these points do not determine are random"));
    EXPECT_EQ(to_csv(data_table(drawn("landscape", run, coarse()))), to_csv(data_table(chart)));
    auto start       = std::make_shared<Snapshot>();
    start->posterior = run.experiment->start;
    run.snapshot     = start;
    EXPECT_EQ(landscape_number(drawn("landscape", run, coarse()), 1, 1), 0) << "a single point";
}

TEST(LandscapeView, ListsTwelveOfManyPointsFromTheFirstToTheLast)
{
    const auto chart = drawn("landscape", bent_path("mean_field", 40), coarse());
    const auto& rows = chart.table.value().rows;
    ASSERT_EQ(rows.size(), 12u);
    EXPECT_EQ(rows.front()[0], Cell("step 0"));
    EXPECT_EQ(rows[1][0], Cell("step 3"));
    EXPECT_EQ(rows.back()[0], Cell("step 39"));
    EXPECT_EQ(series_of<Line>(chart.panels[0]).at(0).x.size(), 40u) << "the path has all of them";
    EXPECT_THAT(chart.caption, HasSubstr("The table has 12 of 40 points."));
}

/// The end of a run whose weights are those of another start.
RunSnapshot end_from(std::uint64_t seed)
{
    Study study = small_study("mean_field");
    study.seed  = seed;
    study.name  = "seed " + std::to_string(seed);
    RunSnapshot run;
    run.experiment       = prepare(study);
    const auto means     = run.experiment->start->means();
    auto snapshot        = std::make_shared<Snapshot>();
    snapshot->posterior  = std::make_shared<SampleSet>(run.experiment->start->layout(),
                                                      aligned_vector<float>(means.begin(), means.end()));
    snapshot->point.step = 1;
    run.snapshot         = snapshot;
    return run;
}

TEST(LandscapeView, OfTwoRunsHasALowCurveBetweenThemInItsPlane)
{
    const std::vector<RunSnapshot> runs{end_from(1), end_from(2)};
    const auto chart = view("landscape").compare(runs, coarse(), {}).value();
    ASSERT_EQ(chart.panels.size(), 2u);
    ASSERT_EQ(chart.table->rows.size(), 3u);
    EXPECT_EQ(chart.table->rows[0][0], Cell("seed 1"));
    for (std::size_t row = 0; row < 3; ++row)
        EXPECT_EQ(landscape_number(chart, row, 3), 0) << "in the plane";
    const auto along = series_of<Line>(chart.panels[1]);
    ASSERT_EQ(along.size(), 2u);
    const auto &line = along[0], &curve = along[1];
    EXPECT_NEAR(line.y.front(), curve.y.front(), 1e-9);
    EXPECT_NEAR(line.y.back(), curve.y.back(), 1e-9);
    const auto sum = [](const Line& one) { return std::accumulate(one.y.begin(), one.y.end(), 0.0); };
    EXPECT_LT(sum(curve), sum(line));
    EXPECT_NEAR(std::pow(10, curve.y.back()) - std::pow(10, curve.y.front()),
                landscape_number(chart, 1, 4) - landscape_number(chart, 0, 4), 1e-6);
    const auto drawn_curve = series_of<Line>(chart.panels[0]).at(1);
    EXPECT_NEAR(drawn_curve.x.back(), landscape_number(chart, 1, 1), 1e-6);
    EXPECT_THAT(chart.caption, HasSubstr("U is that of seed 1."));
}

TEST(LandscapeView, OfThreeRunsHasThePlaneThroughThemAndLeavesOutOtherNetworks)
{
    auto other           = end_from(4);
    Study study          = other.experiment->study;
    study.network.hidden = {3};
    other.experiment     = prepare(study);
    const std::vector<RunSnapshot> runs{end_from(1), end_from(2), other, end_from(3)};
    const auto chart = view("landscape").compare(runs, coarse(), {}).value();
    ASSERT_EQ(chart.table->rows.size(), 3u);
    for (std::size_t row = 0; row < 3; ++row)
        EXPECT_EQ(landscape_number(chart, row, 3), 0);
    EXPECT_THAT(chart.caption, HasSubstr("Left out, because the network differs: seed 4."));
    const auto alone = view("landscape").compare(std::span(runs).subspan(2, 2), coarse(), {});
    EXPECT_THAT(alone->caption, HasSubstr("Left out, because the network differs: seed 3."));
}

TEST(LandscapeView, StopsOnRequest)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(view("landscape").make(bent_path(), coarse(), source.get_token()));
}

}   // namespace
}   // namespace credence
