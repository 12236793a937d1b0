// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/gaussian_process.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Study cubic_study(const std::string& family = "mean_field")
{
    auto study                      = small_study(family, ToyKind::cubic);
    study.split.standardise_targets = true;
    return study;
}

TEST(GpReferenceView, DrawsTheProcessOfTheTrainingRowsNextToTheNetwork)
{
    const auto run   = snapshot_of(cubic_study());
    const auto chart = drawn("gp_reference", run);
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.panels[0].title, "RBF kernel");
    EXPECT_EQ(chart.panels[1].title, "Infinite-width kernel");
    EXPECT_EQ(chart.panels[0].y.range, chart.panels[1].y.range);
    const auto& data = *run.experiment->data;
    std::vector<double> x(data.training_inputs.begin(), data.training_inputs.end()), y;
    for (const double target : data.training.targets)
        y.push_back((target - data.target_mean) / data.target_sd);
    const double noise = run.experiment->model.likelihood->constant_scale().value();
    const GaussianProcess process(width_limit(run.experiment->model.architecture, run.experiment->prior), x, y, noise);
    const auto bands = series_of<Band>(chart.panels[1]);
    ASSERT_EQ(bands.size(), 2u);
    EXPECT_THAT(bands[0].name, StartsWith("Network"));
    const auto lines = series_of<Line>(chart.panels[1]);
    for (const std::size_t i : {10, 100, 190}) {
        const auto z          = data.inputs.standardised(std::vector<double>{bands[1].x[i]});
        const auto prediction = process.at(std::vector<double>(z.begin(), z.end()));
        const double mean     = data.target_mean + data.target_sd * prediction.mean[0],
                     sd       = data.target_sd * prediction.sd[0];
        EXPECT_NEAR(lines[1].y[i], mean, 1e-9 * data.target_sd);
        EXPECT_NEAR(bands[1].upper[i], mean + 1.959963984540054 * sd, 1e-6 * data.target_sd);
        EXPECT_NEAR(bands[1].lower[i], mean - 1.959963984540054 * sd, 1e-6 * data.target_sd);
    }
    EXPECT_THAT(chart.caption, HasSubstr("RBF kernel: length scale "));
    EXPECT_THAT(chart.caption, HasSubstr("weight variances n σ_w² of the layers 1, 8 and bias variances 1, 1"));
    ASSERT_TRUE(chart.table);
    EXPECT_EQ(chart.table->rows.size(), 2u);
}

TEST(GpReferenceView, WithoutAPriorHasTheRbfKernelOnly)
{
    const auto chart = drawn("gp_reference", snapshot_of(cubic_study("point_estimate")));
    EXPECT_EQ(chart.panels.size(), 1u);
    EXPECT_THAT(chart.caption, HasSubstr("trained with weight decay"));
}

TEST(GpReferenceView, OfTwoClassesHasMapsNextToTheNetwork)
{
    const auto& run  = moons();
    const auto chart = drawn("gp_reference", run, coarse());
    ASSERT_EQ(chart.panels.size(), 3u);
    EXPECT_EQ(chart.panels[0].title, "Network");
    EXPECT_EQ(chart.panels[2].title, "Infinite-width kernel");
    const auto& data = *run.experiment->data;
    const std::vector<double> x(data.training_inputs.begin(), data.training_inputs.end());
    const auto limit  = width_limit(run.experiment->model.architecture, run.experiment->prior);
    const auto kernel = [&](std::span<const double> a, std::span<const double> b) { return 2 * limit(a, b); };
    const GaussianProcessClassifier process(kernel, x, 2, data.training.labels);
    const auto& map   = map_of(chart.panels[2]);   // of class 1, the default
    const auto corner = data.inputs.standardised(std::vector<double>{map.x.first, map.y.first});
    EXPECT_NEAR(map.z.front(), process.probabilities(std::vector<double>(corner.begin(), corner.end())).front(), 1e-5);
    EXPECT_NEAR(std::get<double>(chart.table->rows.at(1).at(1)), process.log_marginal_likelihood(), 1e-9);
    double difference = 0;
    for (std::size_t i = 0; i < map.z.size(); ++i)
        difference += std::fabs(map.z[i] - map_of(chart.panels[0]).z[i]) / static_cast<double>(map.z.size());
    EXPECT_NEAR(std::get<double>(chart.table->rows.at(1).at(2)), difference, 1e-5);
}

TEST(GpReferenceView, IsRefusedWithTheReason)
{
    EXPECT_EQ(refusal_of("gp_reference", snapshot_of(small_study("mean_field", ToyKind::four_gaussians))),
              "The Gaussian process reference needs one input and a numeric target, or two inputs and two classes.");
    auto study          = cubic_study();
    study.network.noise = "learned";
    EXPECT_THAT(refusal_of("gp_reference", snapshot_of(study)), HasSubstr("needs Gaussian noise"));
    auto many                = cubic_study();
    many.data.toy.n          = 1300;
    many.split.test_fraction = 0;
    many.training.steps      = 1;
    EXPECT_EQ(refusal_of("gp_reference", snapshot_of(many)),
              "The Gaussian process reference needs at most 500 training rows, because its cost grows with their "
              "cube; these data have 1,300.");
}

TEST(GpReferenceView, StopsOnRequest)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(view("gp_reference").make(snapshot_of(cubic_study()), {}, source.get_token()));
}

}   // namespace
}   // namespace credence
