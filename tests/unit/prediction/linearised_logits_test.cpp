// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/linearised_logits.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "laplace/fit_curvature.h"
#include "laplace/laplace_gaussian.h"
#include "network/network.h"
#include "posterior/sample_set.h"
#include "posterior/scaled_means.h"
#include "prediction/logit_samples.h"
#include "unit/families.h"
#include "unit/network/likelihood_properties.h"
#include "unit/prediction/curvature_case.h"
#include "unit/random_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

template <class T, class SomePosterior>
void expect_naive(const CurvatureCase& c, const SomePosterior& posterior, double tolerance, const char* what)
{
    const std::vector<T> inputs(c.inputs.begin(), c.inputs.end());
    const auto got = linearised_outputs<T>(c.model, posterior, inputs, c.n);
    const int K    = got.K;
    const auto all = naively(c, posterior);
    for (int i = 0; i < c.n; ++i) {
        const auto& want   = all[i];
        const double scale = *std::max_element(want.begin(), want.end());
        for (int j = 0; j < K * K; ++j)
            ASSERT_NEAR(got.covariance[static_cast<std::size_t>(i) * K * K + j], want[j], tolerance * scale)
                << what << ", input " << i << ", entry " << j;
    }
}

TEST(LinearisedLogits, OfALaplaceApproximationAreJacobiansAroundItsCovariance)
{
    for (const CurvatureCase& c : {dense(), convolutions()})
        for (const auto layers : {CurvatureLayers::all, CurvatureLayers::last}) {
            for (const auto structure : {CurvatureStructure::diagonal, CurvatureStructure::full})
                expect_naive<double>(c, LaplaceGaussian<double>(c.curvature({structure, layers}), 0.6), 1e-10,
                                     structure == CurvatureStructure::full ? "full" : "diagonal");
            for (const auto form : {KroneckerForm::joint, KroneckerForm::split, KroneckerForm::square_root})
                expect_naive<double>(
                    c,
                    LaplaceGaussian<double>(
                        c.curvature({CurvatureStructure::kronecker, layers, CurvatureKind::ggn, form}), 0.6),
                    1e-10, "Kronecker");
        }
}

TEST(LinearisedLogits, OfASampleSetPropagateTheSampleCovariance)
{
    for (const CurvatureCase& c : {dense(), convolutions()}) {
        constexpr std::size_t M = 6;
        const std::size_t P     = c.weights.size();
        const int K             = c.model.architecture.outputs();
        const auto noise        = normals(M * P, 11, 0.1);
        aligned_vector<float> draws(M * P);
        for (std::size_t j = 0; j < draws.size(); ++j)
            draws[j] = static_cast<float>(c.weights[j % P] + noise[j]);
        const SampleSet posterior(layout_of(c.model.architecture), draws);
        const std::vector<double> mean(posterior.means().begin(), posterior.means().end());
        const std::vector<float> inputs(c.inputs.begin(), c.inputs.end());
        const auto got = linearised_outputs<float>(c.model, posterior, inputs, c.n);
        for (int i = 0; i < c.n; ++i) {
            const auto J = jacobian(c, mean, i);
            std::vector<double> sigma(static_cast<std::size_t>(K) * K);
            for (std::size_t s = 0; s < M; ++s) {
                std::vector<double> along(K);
                for (int k = 0; k < K; ++k)
                    for (std::size_t p = 0; p < P; ++p)
                        along[k] += J[k][p] * (static_cast<double>(draws[s * P + p]) - mean[p]);
                for (int k = 0; k < K; ++k)
                    for (int l = 0; l < K; ++l)
                        sigma[k * K + l] += along[k] * along[l] / (M - 1);
            }
            const double scale = *std::max_element(sigma.begin(), sigma.end());
            for (int j = 0; j < K * K; ++j)
                ASSERT_NEAR(got.covariance[static_cast<std::size_t>(i) * K * K + j], sigma[j], 1e-5 * scale)
                    << "input " << i << ", entry " << j;
        }
    }
}

TEST(LinearisedLogits, RejectAPosteriorThatDoesNotVary)
{
    const CurvatureCase c = dense();
    const SampleSet one(layout_of(c.model.architecture), aligned_vector<float>(c.weights.begin(), c.weights.end()));
    try {
        linearised_logits(c.model, one, std::vector<float>(c.inputs.begin(), c.inputs.end()), c.n);
        FAIL() << "accepted a set of one draw";
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()),
                  "The logits cannot be linearised: this posterior has no noise in its weights, expected a mean "
                  "field, a Laplace approximation or another Gaussian.");
    }
}

TEST(LinearisedLogits, OfVariationalFamiliesAreJacobiansAroundTheirCovariance)
{
    for (const CurvatureCase& c : {dense(), convolutions()})
        for (const std::string family : {"mean_field", "layer_scale", "tridiagonal"}) {
            PosteriorOptions options;
            options.family      = family;
            options.initial_tau = {0.4, 0.2};
            options.initial_rho = {-0.4, 0.3};
            const std::vector<float> means(c.weights.begin(), c.weights.end());
            expect_naive<double>(c, *make_posterior<double>(layout_of(c.model.architecture), options, means), 1e-6,
                                 "variational");
        }
}

TEST(LinearisedLogits, OfCorrelatedWeightsReachAcrossTheTilesOfABlock)
{
    const CurvatureCase c(mlp(3, {18, 30}, 3, ActivationKind::tanh));   // 540 weights between the hidden layers
    PosteriorOptions options;
    options.family      = "tridiagonal";
    options.initial_tau = {0.4, 0.2};
    options.initial_rho = {-0.4, 0.3};
    const std::vector<float> means(c.weights.begin(), c.weights.end());
    const auto layout = layout_of(c.model.architecture);
    expect_naive<double>(c, *make_posterior<double>(layout, options, means), 1e-6, "in double");
    expect_naive<float>(c, *make_posterior<float>(layout, options, means), 2e-5, "in float");
}

TEST(LinearisedLogits, InFloatAgreeWithDouble)
{
    const CurvatureCase c = convolutions();
    for (const auto structure :
         {CurvatureStructure::diagonal, CurvatureStructure::kronecker, CurvatureStructure::full}) {
        const auto curvature = c.curvature({structure});
        const std::vector<float> inputs(c.inputs.begin(), c.inputs.end());
        const auto narrow = linearised_outputs<float>(c.model, LaplaceGaussian<float>(curvature, 0.6), inputs, c.n);
        const auto wide   = linearised_outputs<double>(c.model, LaplaceGaussian<double>(curvature, 0.6), c.inputs, c.n);
        const double scale = *std::max_element(wide.covariance.begin(), wide.covariance.end());
        for (std::size_t i = 0; i < wide.covariance.size(); ++i)
            EXPECT_NEAR(narrow.covariance[i], wide.covariance[i], 2e-5 * scale);
        for (std::size_t i = 0; i < wide.mu.size(); ++i)
            EXPECT_NEAR(narrow.mu[i], wide.mu[i], 1e-5);
    }
}

TEST(LinearisedLogits, MomentsAreTheDiagonalAndTheRowSums)
{
    const CurvatureCase c = dense();
    const LaplaceGaussian<float> posterior(c.curvature({CurvatureStructure::kronecker}), 0.6);
    const std::vector<float> inputs(c.inputs.begin(), c.inputs.end());
    const auto gaussians = linearised_logits(c.model, posterior, inputs, c.n);
    const auto moments   = linearised_moments(c.model, posterior, inputs, c.n);
    ASSERT_EQ(gaussians.size(), static_cast<std::size_t>(c.n));
    ASSERT_EQ(moments.variance.size(), static_cast<std::size_t>(c.n) * 3);
    for (int i = 0; i < c.n; ++i)
        for (int k = 0; k < 3; ++k) {
            EXPECT_FLOAT_EQ(moments.mu[i * 3 + k], static_cast<float>(gaussians[i].mu()[k]));
            EXPECT_FLOAT_EQ(moments.variance[i * 3 + k], static_cast<float>(gaussians[i].variance()[k]));
            EXPECT_FLOAT_EQ(moments.row_sum[i * 3 + k], static_cast<float>(gaussians[i].row_sums()[k]));
        }
}

TEST(LinearisedLogits, SamplesOfALinearNetworkHaveExactlyTheseMoments)
{
    // One layer: logits are linear in the weights, so the draws have the linearised distribution.
    const CurvatureCase c(mlp(3, {}, 3));
    const LaplaceGaussian<float> posterior(c.curvature({CurvatureStructure::full}), 0.6);
    const std::vector<float> inputs(c.inputs.begin(), c.inputs.end());
    const auto exact = linearised_logits(c.model, posterior, inputs, 2);
    const int S      = 20000;
    const auto drawn = logits_by_moments(sample_logits(c.model, posterior, inputs, 2, S, 1));
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(drawn[i].mu()[k], exact[i].mu()[k], 5 * std::sqrt(exact[i].variance()[k] / S));
            EXPECT_NEAR(drawn[i].variance()[k] / exact[i].variance()[k], 1, 5 * std::sqrt(2.0 / S));
        }
}

Model linearised(Model model)
{
    model.linearised_at_prediction = true;
    return model;
}

TEST(LinearisedSamples, HaveTheMeansAndCovariancesOfTheLinearisedLogits)
{
    const int S = 20000, n = 4;
    for (const CurvatureCase& c : {dense(), convolutions()})
        for (const auto structure :
             {CurvatureStructure::diagonal, CurvatureStructure::kronecker, CurvatureStructure::full})
            for (const auto layers : {CurvatureLayers::all, CurvatureLayers::last}) {
                const LaplaceGaussian<float> posterior(c.curvature({structure, layers}), 0.6);
                const std::vector<float> inputs(c.inputs.begin(), c.inputs.end());
                const auto exact = linearised_logits(c.model, posterior, inputs, n);
                const auto drawn = logits_by_moments(sample_logits(linearised(c.model), posterior, inputs, n, S, 1));
                for (int i = 0; i < n; ++i)
                    for (int k = 0; k < 3; ++k) {
                        const auto variance = exact[i].variance();
                        EXPECT_NEAR(drawn[i].mu()[k], exact[i].mu()[k], 5 * std::sqrt(variance[k] / S));
                        for (int l = 0; l <= k; ++l) {
                            const double sigma = exact[i].covariance(k, l);
                            EXPECT_NEAR(drawn[i].covariance(k, l), sigma,
                                        5 * std::sqrt((variance[k] * variance[l] + sigma * sigma) / S))
                                << "input " << i << ", " << k << ", " << l;
                        }
                    }
            }
}

TEST(LinearisedSamples, EqualPlainSamplesIfTheNetworkIsLinearInItsUncertainWeights)
{
    const std::pair<CurvatureCase, CurvatureLayers> linear[] = {{CurvatureCase(mlp(3, {}, 3)), CurvatureLayers::all},
                                                                {dense(), CurvatureLayers::last},
                                                                {convolutions(), CurvatureLayers::last}};
    for (const auto& [c, layers] : linear) {
        const LaplaceGaussian<float> posterior(c.curvature({CurvatureStructure::kronecker, layers}), 0.6);
        const std::vector<float> inputs(c.inputs.begin(), c.inputs.end());
        const auto plain    = sample_logits(c.model, posterior, inputs, c.n, 20, 1),
                   expanded = sample_logits(linearised(c.model), posterior, inputs, c.n, 20, 1);
        for (std::size_t i = 0; i < plain.values.size(); ++i)
            EXPECT_NEAR(expanded.values[i], plain.values[i], 2e-5 * std::max(1.0f, std::abs(plain.values[i])));
    }
}

TEST(LinearisedSamples, OfLearnedNoiseAreLinearBeforeTheSoftplus)
{
    const Model model{mlp(3, {5}, 2, ActivationKind::tanh), learned_noise(), false, true};
    const CurvatureCase c(model.architecture);
    const auto posterior = std::make_shared<LaplaceGaussian<float>>(c.curvature({CurvatureStructure::full}), 0.6);
    const std::vector<float> inputs(c.inputs.begin(), c.inputs.end());
    const auto raw  = sample_logits(model, *posterior, inputs, c.n, 7, 1),
               read = PosteriorPredictive(model, posterior, 7, 1).sample_outputs(inputs, c.n);
    for (std::size_t i = 0; i < raw.values.size(); i += 2) {
        EXPECT_EQ(read.values[i], raw.values[i]);
        EXPECT_FLOAT_EQ(read.values[i + 1],
                        static_cast<float>(std::log1p(std::exp(static_cast<double>(raw.values[i + 1]))) + 1e-3));
    }
}

TEST(LinearisedSamples, DependNeitherOnThreadsNorOnTheOtherInputs)
{
    for (const CurvatureCase& c : {dense(), convolutions()}) {
        const auto posterior = std::make_shared<LaplaceGaussian<float>>(c.curvature({CurvatureStructure::kronecker}),
                                                                        0.6);
        const auto drawn     = normals(static_cast<std::size_t>(c.model.architecture.inputs) * 200, 8);
        const std::vector<float> inputs(drawn.begin(), drawn.end());
        const PosteriorPredictive predictive(linearised(c.model), posterior, 37, 9);
        std::vector<std::vector<float>> values;
        for (const int threads : {1, 2, 7})
            Threads(threads).run([&] { values.push_back(predictive.sample_outputs(inputs, 200).values); });
        EXPECT_EQ(values[1], values[0]);
        EXPECT_EQ(values[2], values[0]);
        const OutputSamples all{37, 200, 3, values[0]}, few = predictive.sample_outputs(inputs, 3);
        for (int s = 0; s < 37; ++s)
            for (int i = 0; i < 3; ++i)
                for (int k = 0; k < 3; ++k)
                    EXPECT_NEAR(few.at(s, i, k), all.at(s, i, k), 1e-6) << s << " " << i << " " << k;
    }
}

TEST(LinearisedSamples, OfAPointEstimateAreTheOutputsOfTheNetwork)
{
    const CurvatureCase c = dense();
    const std::vector<float> means(c.weights.begin(), c.weights.end()), inputs(c.inputs.begin(), c.inputs.end());
    const std::shared_ptr<const Posterior> point = make_posterior<float>(layout_of(c.model.architecture),
                                                                         {.family = "point_estimate"}, means);
    EXPECT_EQ(PosteriorPredictive(linearised(c.model), point, 50, 1).sample_outputs(inputs, c.n).values,
              PosteriorPredictive(c.model, point, 50, 1).sample_outputs(inputs, c.n).values);
}

TEST(LinearisedLogits, AreTheSameForAnyNumberOfThreadsAndStopOnRequest)
{
    const CurvatureCase c = convolutions();
    const LaplaceGaussian<float> posterior(c.curvature({CurvatureStructure::kronecker}), 0.6);
    const std::vector<float> inputs(c.inputs.begin(), c.inputs.end());
    std::vector<float> first;
    for (const int count : {1, 2, 7}) {
        Threads threads(count);
        LogitMoments moments;
        threads.run([&] { moments = linearised_moments(c.model, posterior, inputs, c.n); });
        if (first.empty())
            first = moments.variance;
        else
            EXPECT_EQ(moments.variance, first) << count << " threads";
    }
    std::stop_source source;
    source.request_stop();
    EXPECT_TRUE(linearised_logits(c.model, posterior, inputs, c.n, source.get_token()).empty());
}

TEST(LinearisedLogits, OfAFullCurvatureOfFewExamplesLeaveOutOnlyWhatThePriorOutweighs)
{
    CurvatureCase c(mlp(3, {60, 60}, 3, ActivationKind::tanh));   // 4,083 weights, 18 directions with curvature
    const auto curvature = c.curvature({.structure = CurvatureStructure::full});
    const auto& values   = curvature->data().eigenvalues;
    ASSERT_LT(values.size(), curvature->covered());
    ASSERT_TRUE(std::is_sorted(values.begin(), values.end()));
    const double precision = 1e7 * values[values.size() / 2]
                             * 1.001;   // half of the directions are negligible in float
    const auto outputs = linearised_outputs<double>(c.model, LaplaceGaussian<double>(curvature, precision), c.inputs,
                                                    c.n);
    const auto wanted  = naively(c, LaplaceGaussian<double>(curvature, precision));
    for (int i = 0; i < c.n; ++i)
        for (std::size_t k = 0; k < 9; ++k)
            EXPECT_NEAR(outputs.covariance[static_cast<std::size_t>(i) * 9 + k], wanted[i][k],
                        2e-5 * std::abs(wanted[i][0]))
                << "input " << i << ", entry " << k;
}

TEST(LinearisedLogits, RejectAPosteriorWithoutNoise)
{
    const CurvatureCase c = dense();
    const std::vector<float> means(c.weights.begin(), c.weights.end()), inputs(c.inputs.begin(), c.inputs.end());
    PosteriorOptions options;
    options.family   = "point_estimate";
    const auto point = make_posterior<float>(layout_of(c.model.architecture), options, means);
    try {
        linearised_logits(c.model, *point, inputs, 1);
        FAIL() << "nothing was refused";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "The logits cannot be linearised: this posterior has no noise in its weights, expected a mean "
                     "field, a Laplace approximation or another Gaussian.");
    }
}

}   // namespace
}   // namespace credence
