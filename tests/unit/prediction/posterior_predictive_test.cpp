// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/posterior_predictive.h"

#include "foundation/parallel.h"
#include "network/network.h"
#include "posterior/sample_set.h"
#include "unit/families.h"
#include "unit/network/likelihood_properties.h"

#include <gtest/gtest.h>

#include <cmath>

namespace credence {
namespace {

struct PredictiveCase {
    Model model;
    std::shared_ptr<const Posterior> posterior;
    std::vector<float> inputs;
    int n;
};

PredictiveCase make_case(const std::string& family, int outputs, const Likelihood& likelihood, int n,
                         std::vector<int> hidden = {30, 20})
{
    Architecture architecture = mlp(3, hidden, outputs, ActivationKind::tanh);
    if (family == "bernoulli_dropout")
        architecture = with_dropout_before_weights(architecture, 0.2);
    const ParameterLayout layout = layout_of(architecture);
    PosteriorOptions options;
    options.family           = family;
    options.initial_sd       = 0.2;
    options.initial_tau      = {0.3, 0.3};
    std::vector<float> start = initial_weights(layout, Initialisation::glorot, 4),
                       inputs(static_cast<std::size_t>(n) * 3);
    standard_normals({5, Stream::data, 0}, 0, std::span<float>(inputs));
    return {{architecture, likelihood, family != "point_estimate"},
            make_posterior<float>(layout, options, start),
            inputs,
            n};
}

OutputSamples samples_of(const PredictiveCase& c, int n_samples)
{
    return PosteriorPredictive(c.model, c.posterior, n_samples, 9).sample_outputs(c.inputs, c.n);
}

TEST(PosteriorPredictive, ProbabilitiesAreTheSoftmaxOfTheLogitsOfEachSample)
{
    const PredictiveCase c      = make_case("mean_field", 4, Likelihood::categorical(), 21);
    const OutputSamples samples = samples_of(c, 5);
    ASSERT_EQ(samples.n_samples, 5);
    const Network<float> network(c.model.architecture);
    Network<float>::Workspace workspace(network, c.n);
    Draw<float> draw = c.posterior->make_draw();
    for (int s = 0; s < 5; ++s) {
        c.posterior->draw({9, Stream::prediction, static_cast<std::uint32_t>(s)}, draw);
        const auto z = network.forward(draw.weights, c.inputs.data(), c.n, workspace);
        for (int i = 0; i < c.n; ++i) {
            double sum = 0;
            for (int k = 0; k < 4; ++k)
                sum += std::exp(double(z[i * 4 + k]));
            for (int k = 0; k < 4; ++k)
                EXPECT_NEAR(samples.at(s, i, k), std::exp(double(z[i * 4 + k])) / sum, 2e-6);
        }
    }
}

TEST(PosteriorPredictive, TheSummaryIsTheMeanOfTheSamplesAndOfTheirEntropies)
{
    for (int outputs : {2, 3, 10, 70}) {
        const PredictiveCase c          = make_case("mean_field", outputs, Likelihood::categorical(), 37);
        const int draws                 = 33;   // more than one group
        const OutputSamples samples     = samples_of(c, draws);
        const PredictiveSummary summary = PosteriorPredictive(c.model, c.posterior, draws, 9).summarise(c.inputs, c.n);
        for (int i = 0; i < c.n; ++i) {
            double entropy = 0;
            for (int k = 0; k < outputs; ++k) {
                double mean = 0;
                for (int s = 0; s < draws; ++s) {
                    const double p = samples.at(s, i, k);
                    mean += p / draws;
                    if (p > 0)
                        entropy -= p * std::log(p) / draws;
                }
                EXPECT_NEAR(summary.mean[i * outputs + k], mean, 1e-6);
            }
            EXPECT_NEAR(summary.expected_entropy[i], entropy, 1e-5);
        }
    }
}

TEST(PosteriorPredictive, RegressionHasMeanAndNoiseOfEachSample)
{
    const OutputSamples given = samples_of(make_case("mean_field", 1, Likelihood::gaussian(0.3), 5), 3);
    EXPECT_EQ(given.n_outputs, 2);
    EXPECT_FLOAT_EQ(given.at(2, 4, 1), 0.3f);
    const PredictiveCase c          = make_case("layer_scale", 2, learned_noise(), 5);
    const OutputSamples learned     = samples_of(c, 3);
    const PredictiveSummary summary = PosteriorPredictive(c.model, c.posterior, 3, 9).summarise(c.inputs, c.n);
    for (int i = 0; i < 5; ++i) {
        EXPECT_GT(learned.at(0, i, 1), 0);
        EXPECT_NEAR(summary.mean[i], (double(learned.at(0, i, 0)) + learned.at(1, i, 0) + learned.at(2, i, 0)) / 3,
                    1e-6);
    }
}

TEST(PosteriorPredictive, APointEstimateNeedsOneSample)
{
    EXPECT_EQ(samples_of(make_case("point_estimate", 2, Likelihood::categorical(), 4), 200).n_samples, 1);
}

TEST(PosteriorPredictive, EachSampleOfASetIsUsedOnce)
{
    PredictiveCase c          = make_case("mean_field", 4, Likelihood::categorical(), 6);
    const std::size_t weights = c.posterior->layout().size();
    constexpr int M           = 5;
    aligned_vector<float> draws(M * weights);
    standard_normals({8, Stream::weight_noise, 0}, 0, std::span<float>(draws));
    const auto set = std::make_shared<SampleSet>(c.posterior->layout(), draws);
    const PosteriorPredictive all(c.model, set, 200, 3), two(c.model, set, 2, 3);
    EXPECT_EQ(all.n_samples(), M);
    EXPECT_EQ(two.n_samples(), 2);
    std::vector<double> mean(24), by_draw(24);
    const auto samples = all.sample_outputs(c.inputs, c.n);
    for (int s = 0; s < M; ++s) {
        const auto one = std::make_shared<SampleSet>(
            c.posterior->layout(), aligned_vector<float>(set->draw_number(s).begin(), set->draw_number(s).end()));
        const auto alone = PosteriorPredictive(c.model, one, 1, 3).sample_outputs(c.inputs, c.n);
        for (std::size_t i = 0; i < mean.size(); ++i) {
            mean[i] += samples.values[static_cast<std::size_t>(s) * 24 + i];
            by_draw[i] += alone.values[i];
        }
    }
    for (std::size_t i = 0; i < mean.size(); ++i)
        EXPECT_NEAR(mean[i], by_draw[i], 1e-5);
}

TEST(PosteriorPredictive, DropoutMasksDifferFromSampleToSample)
{
    const OutputSamples samples = samples_of(make_case("bernoulli_dropout", 2, Likelihood::categorical(), 4), 20);
    ASSERT_EQ(samples.n_samples, 20);
    EXPECT_NE(samples.at(0, 0, 0), samples.at(1, 0, 0));
}

TEST(PosteriorPredictive, AnInputsNumbersDoNotDependOnTheOtherInputsNorOnThreads)
{
    for (const std::string family : {"mean_field", "tridiagonal", "bernoulli_dropout"}) {
        const PredictiveCase c = make_case(family, 3, Likelihood::categorical(), 3000, {50});
        std::vector<PredictiveSummary> summaries;
        for (int threads : {1, 2, 7})
            Threads(threads).run([&] {
                summaries.push_back(PosteriorPredictive(c.model, c.posterior, 20, 9).summarise(c.inputs, c.n));
            });
        EXPECT_EQ(summaries[0].mean, summaries[1].mean);
        EXPECT_EQ(summaries[0].mean, summaries[2].mean);
        EXPECT_EQ(summaries[0].expected_entropy, summaries[2].expected_entropy);
        const PredictiveSummary first = PosteriorPredictive(c.model, c.posterior, 20, 9).summarise(c.inputs, 100);
        for (int i = 0; i < 300; ++i)
            EXPECT_NEAR(first.mean[i], summaries[0].mean[i], 1e-6);
    }
}

/// A small network of images.
PredictiveCase make_image_case(const std::string& family, int n)
{
    const ImageShape image{1, 10, 10};
    Architecture architecture{
        100,
        {Conv2d{4, 3}, Pool{}, Conv2d{5, 3}, Activation{ActivationKind::tanh}, Dense{12}, Activation{}, Dense{3}},
        image};
    if (family == "bernoulli_dropout")
        architecture = with_dropout_before_weights(architecture, 0.2);
    const ParameterLayout layout = layout_of(architecture);
    PosteriorOptions options;
    options.family      = family;
    options.initial_tau = {0.3, 0.3};
    std::vector<float> inputs(static_cast<std::size_t>(n) * 100);
    standard_normals({5, Stream::data, 0}, 0, std::span<float>(inputs));
    return {{architecture, {}, true},
            make_posterior<float>(layout, options, initial_weights(layout, Initialisation::glorot, 4)),
            inputs,
            n};
}

TEST(PosteriorPredictive, ImagesInOnePassEqualSampleBySample)
{
    for (const std::string family : {"layer_scale", "bernoulli_dropout"}) {
        const PredictiveCase c      = make_image_case(family, 150);
        const OutputSamples samples = samples_of(c, 19);
        const Network<float> network(c.model.architecture);
        Network<float>::Workspace workspace(network, c.n);
        Draw<float> draw = c.posterior->make_draw();
        for (int s = 0; s < 19; ++s) {
            c.posterior->draw({9, Stream::prediction, static_cast<std::uint32_t>(s)}, draw);
            const auto z = network.forward(
                draw.weights, c.inputs.data(), c.n, workspace,
                DropoutNoise{{9, Stream::prediction_dropout, static_cast<std::uint32_t>(s)}, 0});
            for (int i = 0; i < c.n; ++i) {
                double sum = 0;
                for (int k = 0; k < 3; ++k)
                    sum += std::exp(double(z[i * 3 + k]));
                for (int k = 0; k < 3; ++k)
                    EXPECT_NEAR(samples.at(s, i, k), std::exp(double(z[i * 3 + k])) / sum, 3e-6);
            }
        }
    }
}

TEST(PosteriorPredictive, AnImagesNumbersDoNotDependOnTheOtherImagesNorOnThreads)
{
    for (const std::string family : {"mean_field", "bernoulli_dropout"}) {
        const PredictiveCase c = make_image_case(family, 200);
        std::vector<OutputSamples> samples;
        for (int threads : {1, 2, 3})
            Threads(threads).run([&] {
                samples.push_back(PosteriorPredictive(c.model, c.posterior, 20, 9).sample_outputs(c.inputs, c.n));
            });
        EXPECT_EQ(samples[0].values, samples[1].values);
        EXPECT_EQ(samples[0].values, samples[2].values);
        const OutputSamples first = PosteriorPredictive(c.model, c.posterior, 20, 9).sample_outputs(c.inputs, 1);
        for (int s = 0; s < 20; ++s)
            for (int k = 0; k < 3; ++k)
                EXPECT_NEAR(first.at(s, 0, k), samples[0].at(s, 0, k), 1e-6);
    }
}

TEST(PosteriorPredictive, AStopLeavesNoPartialResult)
{
    const PredictiveCase c = make_case("mean_field", 2, Likelihood::categorical(), 100);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(
        PosteriorPredictive(c.model, c.posterior, 50, 9).sample_outputs(c.inputs, c.n, stop.get_token()).n_samples, 0);
    EXPECT_EQ(PosteriorPredictive(c.model, c.posterior, 50, 9).summarise(c.inputs, c.n, stop.get_token()).n_inputs, 0);
}

}   // namespace
}   // namespace credence
