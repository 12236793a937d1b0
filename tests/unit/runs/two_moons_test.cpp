// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/parallel.h"
#include "prediction/posterior_predictive.h"
#include "runs/experiment.h"
#include "study/presets.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>

// The presets that show one problem with five posteriors.
namespace credence {
namespace {

double entropy(std::span<const double> p)
{
    double h = 0;
    for (const double x : p)
        h -= x > 0 ? x * std::log(x) : 0;
    return h;
}

/// The four corners of the data's range widened by 40 % on each side.
std::vector<float> corners_of(const SplitData& data)
{
    std::array<double, 2> low{1e9, 1e9}, high{-1e9, -1e9};
    for (const Dataset* part : {&data.training, &data.test})
        for (std::size_t i = 0; i < part->n_rows; ++i)
            for (std::size_t j = 0; j < 2; ++j) {
                low[j]  = std::min(low[j], part->row(i)[j]);
                high[j] = std::max(high[j], part->row(i)[j]);
            }
    for (std::size_t j = 0; j < 2; ++j) {
        const double margin = 0.4 * (high[j] - low[j]);
        low[j] -= margin;
        high[j] += margin;
    }
    std::vector<float> corners;
    for (const double x : {low[0], high[0]})
        for (const double y : {low[1], high[1]})
            corners.insert(corners.end(), {static_cast<float>(x), static_cast<float>(y)});
    return corners;
}

struct Outcome {
    double accuracy = 0, corner_entropy = 0;
};

Outcome outcome_of(const char* id, const char* setting = nullptr)
{
    Outcome outcome;
    Threads().run([&] {
        Study study = preset(id);
        if (setting)
            set_field(study, setting);
        const auto experiment = prepare(study);
        const auto report     = train(*experiment).report;
        ASSERT_EQ(report.stop, StopReason::steps_done) << id;
        const PosteriorPredictive predictive(experiment->model, report.last->posterior, 200, experiment->study.seed);
        const auto& data = *experiment->data;
        const int n      = static_cast<int>(data.test.n_rows);
        const auto test  = predictive.summarise(data.test_inputs, n);
        for (int i = 0; i < n; ++i)
            outcome.accuracy += (test.mean[2 * i + 1] > test.mean[2 * i]) == (data.test.labels[i] == 1) ? 1.0 / n : 0;
        auto corners = corners_of(data);
        data.inputs.apply(corners);
        const auto far = predictive.summarise(corners, 4);
        for (int i = 0; i < 4; ++i)
            outcome.corner_entropy += entropy({&far.mean[2 * i], 2}) / 4;
    });
    testing::Test::RecordProperty("accuracy_" + std::string(id), std::to_string(outcome.accuracy));
    return outcome;
}

TEST(TwoMoons, EveryFamilySeparatesThemAndOnlyBayesianOnesAreUncertainFarAway)
{
    const Outcome point = outcome_of("two_moons_point_estimate");
    EXPECT_GE(point.accuracy, 0.98);
    EXPECT_LT(point.corner_entropy, 0.03);
    for (const char* id : {"two_moons_bernoulli_dropout", "two_moons_mean_field", "two_moons_layer_scale",
                           "two_moons_tridiagonal", "two_moons_laplace"}) {
        const Outcome bayesian = outcome_of(id);
        EXPECT_GE(bayesian.accuracy, 0.98) << id;
        EXPECT_GT(bayesian.corner_entropy, point.corner_entropy + 0.1) << id;
    }
}

TEST(TwoMoons, AtMaximumEvidenceWeightSamplesAreMuchWorseThanTheLinearisedNetwork)
{
    const Outcome weights = outcome_of("two_moons_laplace", "posterior.laplace_predictive=weights");
    EXPECT_LT(weights.accuracy, 0.7);
    EXPECT_GT(weights.corner_entropy, 0.95 * std::log(2));
}

TEST(BadPreset, CollapsesOntoItsPriorAsItsNoteStates)
{
    const Outcome bad = outcome_of("bad_narrow_prior");
    EXPECT_LT(bad.accuracy, 0.7);
    EXPECT_NEAR(bad.corner_entropy, std::log(2), 0.01);
}

TEST(Blundell, TheInterquartileRangeGrowsAwayFromTheData)
{
    Threads().run([] {
        const auto experiment = prepare(preset("blundell_mean_field"));
        const auto report     = experiment->make_trainer()->run();
        ASSERT_EQ(report.stop, StopReason::steps_done);
        const PosteriorPredictive predictive(experiment->model, report.last->posterior, 200, experiment->study.seed);
        const auto range_at = [&](float x) {
            std::vector<float> input{x}, f;
            experiment->data->inputs.apply(input);
            const auto draws = predictive.sample_outputs(input, 1);
            for (int s = 0; s < draws.n_samples; ++s)
                f.push_back(draws.at(s, 0, 0));
            std::sort(f.begin(), f.end());
            return f[f.size() * 3 / 4] - f[f.size() / 4];
        };
        const float inside = std::max(
            {range_at(0.1f), range_at(0.25f), range_at(0.4f)});   // training x are in [0, 0.5]
        EXPECT_GT(range_at(0.8f), 2 * inside);
        EXPECT_GT(range_at(1.2f), range_at(0.8f));
        EXPECT_GT(range_at(-0.2f), 2 * inside);
    });
}

}   // namespace
}   // namespace credence
