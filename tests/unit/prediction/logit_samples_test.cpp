// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/logit_samples.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "network/network.h"
#include "unit/families.h"

#include <gtest/gtest.h>

#include <cmath>

namespace credence {
namespace {

struct DrawsCase {
    Model model;
    std::shared_ptr<const Posterior> posterior;
    std::vector<float> inputs;
    int n;
};

DrawsCase make_case(const std::string& family, int outputs, int n)
{
    Architecture architecture = mlp(3, {30, 20}, outputs, ActivationKind::tanh);
    if (family == "bernoulli_dropout")
        architecture = with_dropout_before_weights(architecture, 0.2);
    const ParameterLayout layout = layout_of(architecture);
    PosteriorOptions options;
    options.family     = family;
    options.initial_sd = 0.2;
    std::vector<float> inputs(static_cast<std::size_t>(n) * 3);
    standard_normals({5, Stream::data, 0}, 0, std::span<float>(inputs));
    return {{architecture, Likelihood::categorical(), family != "point_estimate"},
            make_posterior<float>(layout, options, initial_weights(layout, Initialisation::glorot, 4)),
            inputs,
            n};
}

}   // namespace

TEST(LogitSamples, HaveTheSoftmaxOfThePosteriorPredictive)
{
    for (const std::string family : {"mean_field", "bernoulli_dropout"}) {
        const DrawsCase c = make_case(family, 4, 150);
        const auto logits = sample_logits(c.model, *c.posterior, c.inputs, c.n, 20, 9);
        const auto p      = PosteriorPredictive(c.model, c.posterior, 20, 9).sample_outputs(c.inputs, c.n);
        ASSERT_EQ(logits.n_samples, 20);
        ASSERT_EQ(logits.n_outputs, 4);
        for (int s = 0; s < 20; ++s)
            for (int i = 0; i < c.n; ++i) {
                double sum = 0;
                for (int k = 0; k < 4; ++k)
                    sum += std::exp(static_cast<double>(logits.at(s, i, k)));
                for (int k = 0; k < 4; ++k)
                    ASSERT_NEAR(p.at(s, i, k), std::exp(static_cast<double>(logits.at(s, i, k))) / sum, 3e-6)
                        << s << " " << i << " " << k;
            }
    }
}

TEST(LogitSamples, AreTheSameForAnyNumberOfThreads)
{
    const DrawsCase c = make_case("mean_field", 3, 70);
    std::vector<float> first;
    for (const int threads : {1, 2, 7}) {
        Threads pool(threads);
        std::vector<float> values;
        pool.run([&] { values = sample_logits(c.model, *c.posterior, c.inputs, c.n, 33, 9).values; });
        if (first.empty())
            first = values;
        EXPECT_EQ(values, first) << threads;
    }
}

TEST(LogitSamples, StopReturnsNone)
{
    const DrawsCase c = make_case("mean_field", 3, 70);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(sample_logits(c.model, *c.posterior, c.inputs, c.n, 5, 9, stop.get_token()).n_samples, 0);
}

TEST(LogitsByMoments, HaveMeanAndCovarianceOfTheSamples)
{
    // Three draws of two logits for two inputs; covariances by hand.
    const OutputSamples draws{3, 2, 2, {1, 0, 10, 10, 2, 0, 10, 12, 3, 3, 10, 14}};
    const auto gaussians = logits_by_moments(draws);
    ASSERT_EQ(gaussians.size(), 2u);
    EXPECT_NEAR(gaussians[0].mu()[0], 2, 1e-12);
    EXPECT_NEAR(gaussians[0].mu()[1], 1, 1e-12);
    EXPECT_NEAR(gaussians[0].covariance(0, 0), 1, 1e-12);
    EXPECT_NEAR(gaussians[0].covariance(0, 1), 1.5, 1e-12);
    EXPECT_NEAR(gaussians[0].covariance(1, 1), 3, 1e-12);
    EXPECT_NEAR(gaussians[1].covariance(0, 0), 0, 1e-12);
    EXPECT_NEAR(gaussians[1].covariance(1, 1), 4, 1e-12);
}

TEST(LogitsByMoments, FewSamplesOfManyClassesHaveASingularCovariance)
{
    const DrawsCase c    = make_case("mean_field", 12, 2);
    const auto gaussians = logits_by_moments(sample_logits(c.model, *c.posterior, c.inputs, c.n, 3, 9));
    ASSERT_EQ(gaussians.size(), 2u);
    for (const auto& g : gaussians)
        for (const double variance : g.variance())
            EXPECT_GT(variance, 0);
}

TEST(LogitsByMoments, OneSampleIsRejected)
{
    try {
        logits_by_moments({1, 1, 2, {0, 1}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "The Gaussian over logits was requested from 1 samples of 2 logits, expected at least 2 of both.");
    }
}

TEST(LogitsByMoments, OfTooManyClassesAreRejectedBeforeAllocatingTheCovariance)
{
    const OutputSamples draws{2, 1, 30000, std::vector<float>(60000)};
    try {
        logits_by_moments(draws);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(
            error.what(),
            "A covariance of the logits of 30000 classes has 900000000 numbers, expected at most 4096 classes.");
    }
    EXPECT_EQ(spread_of_samples(draws, 0, 1e-4).variance.size(), 30000u);   // what the bridge needs alone
}

TEST(LogitSamples, TheirSpreadIsThatOfTheirGaussian)
{
    const DrawsCase c = make_case("mean_field", 4, 3);
    const auto draws  = sample_logits(c.model, *c.posterior, c.inputs, c.n, 20, 9);
    for (const double added : {0.0, 0.25}) {
        const auto distributions = logits_by_moments(draws, added);
        for (int i = 0; i < c.n; ++i) {
            const auto& distribution = distributions[static_cast<std::size_t>(i)];
            const auto spread        = spread_of_samples(draws, i, added);
            for (std::size_t k = 0; k < 4; ++k) {
                EXPECT_NEAR(spread.mu[k], distribution.mu()[k], 1e-12);
                EXPECT_NEAR(spread.variance[k], distribution.variance()[k], 1e-12);
                EXPECT_NEAR(spread.row_sums[k], distribution.row_sums()[k], 1e-12);
            }
        }
    }
}

}   // namespace credence
