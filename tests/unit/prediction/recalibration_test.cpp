// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/recalibration.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "foundation/softmax.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

using namespace credence;

namespace {

ClassSamples classes_from_logits(std::vector<double> logits, int S, int N, int K)
{
    for (std::size_t first = 0; first < logits.size(); first += static_cast<std::size_t>(K))
        to_log_softmax(std::span(logits).subspan(first, static_cast<std::size_t>(K)));
    return {S, N, K, std::move(logits)};
}

struct LabelledClasses {
    ClassSamples samples;
    std::vector<int> labels;
    std::vector<double> logits;
};

/// Labels drawn from softmax(z); the network's logits are `confidence` times z plus noise for each sample.
LabelledClasses overconfident(double confidence, int S, int N, int K, double noise = 0)
{
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<double> logits(static_cast<std::size_t>(S * N * K));
    std::vector<int> labels;
    for (int i = 0; i < N; ++i) {
        std::vector<double> z(static_cast<std::size_t>(K));
        for (double& one : z)
            one = 1.5 * normal(random);
        const auto p = softmax(z);
        double left  = uniform(random);
        int label    = 0;
        while (label + 1 < K && (left -= p[static_cast<std::size_t>(label)]) > 0)
            ++label;
        labels.push_back(label);
        for (int s = 0; s < S; ++s)
            for (int k = 0; k < K; ++k)
                logits[static_cast<std::size_t>((s * N + i) * K + k)] = confidence
                                                                        * (z[static_cast<std::size_t>(k)]
                                                                           + noise * normal(random));
    }
    return {classes_from_logits(logits, S, N, K), labels, logits};
}

/// The rows of the reference values: three samples of 24 rows, two thirds with the label of the largest logit.
LabelledClasses reference_classes()
{
    constexpr int S = 3, N = 24, K = 3;
    std::vector<double> logits;
    for (int s = 0; s < S; ++s)
        for (int i = 0; i < N; ++i)
            for (int k = 0; k < K; ++k)
                logits.push_back(3 * std::sin(1 + 0.4 * s + 1.3 * i + 2.1 * k) + 0.5 * std::cos(3.0 * s * i + k));
    std::vector<int> labels;
    for (int i = 0; i < N; ++i) {
        std::vector<double> z;
        for (int k = 0; k < K; ++k)
            z.push_back(std::sin(1 + 1.3 * i + 2.1 * k));
        labels.push_back((argmax(z) + (i % 3 == 2 ? 1 : 0)) % K);
    }
    return {classes_from_logits(logits, S, N, K), labels, logits};
}

struct LabelledNumbers {
    RegressionSamples samples;
    std::vector<double> targets;
};

LabelledNumbers reference_numbers(int S = 3)
{
    constexpr int N = 24;
    LabelledNumbers out{.samples = {.n_samples = S, .n_inputs = N, .f = {}, .s = {}}, .targets = {}};
    for (int s = 0; s < S; ++s)
        for (int i = 0; i < N; ++i) {
            out.samples.f.push_back(std::sin(0.9 * i) + 0.1 * std::sin(2.0 * s * (i + 1)));
            out.samples.s.push_back(0.1 + 0.05 * std::cos(i));
        }
    for (int i = 0; i < N; ++i)
        out.targets.push_back(std::sin(0.9 * i) + 0.4 * std::sin(5.0 * i));
    return out;
}

}   // namespace

TEST(TemperatureScaling, RecoversTheFactorOfOverconfidentLogits)
{
    const auto data   = overconfident(3, 1, 5000, 4);
    const auto fitted = fit_temperature(data.samples, data.labels);
    EXPECT_NEAR(fitted.temperature, 3, 0.15);
    EXPECT_LT(fitted.nll_after, fitted.nll_before - 0.3);
    EXPECT_EQ(fitted.n_rows, 5000);
}

TEST(TemperatureScaling, FollowsTheScaleOfTheLogits)
{
    auto data          = overconfident(2, 3, 300, 3, 0.5);
    const auto fitted  = fit_temperature(data.samples, data.labels);
    auto larger_logits = data.logits;
    for (double& z : larger_logits)
        z = 4 * z + 7;   // a constant added to all logits changes nothing
    const auto scaled = fit_temperature(classes_from_logits(larger_logits, 3, 300, 3), data.labels);
    EXPECT_NEAR(scaled.temperature, 4 * fitted.temperature, 1e-5);
    EXPECT_NEAR(scaled.nll_after, fitted.nll_after, 1e-12);
}

TEST(TemperatureScaling, FittedAgainIsOne)
{
    auto data = overconfident(3, 4, 400, 3, 0.4);
    recalibrate(fit_temperature(data.samples, data.labels), data.samples);
    EXPECT_NEAR(fit_temperature(data.samples, data.labels).temperature, 1, 1e-5);
}

TEST(Recalibration, EqualsScipy)   // scipy.optimize (minimize_scalar, BFGS) on the same formulas written with numpy
{
    const auto data        = reference_classes();
    const auto temperature = fit_temperature(data.samples, data.labels);
    EXPECT_NEAR(temperature.nll_before, 1.6361338333261601, 1e-12);
    EXPECT_NEAR(temperature.temperature, 4.651101534595666, 1e-6);
    EXPECT_NEAR(temperature.nll_after, 1.0095316212669496, 1e-12);
    EXPECT_NEAR(fit_vector_scaling(data.samples, data.labels).nll_after, 0.9998681081360008, 1e-7);
    const auto numbers = reference_numbers();
    const auto sigma   = fit_sigma_scaling(numbers.samples, numbers.targets);
    EXPECT_NEAR(sigma.nll_before, 3.207896357182707, 1e-10);
    EXPECT_NEAR(sigma.factor, 2.7844942637195698, 1e-6);
    EXPECT_NEAR(sigma.nll_after, 0.20412500873143644, 1e-12);
}

TEST(Recalibration, IsNeverWorseOnItsRows)
{
    for (const double confidence : {0.3, 1.0, 2.5}) {
        const auto data        = overconfident(confidence, 5, 60, 3, 0.5);
        const auto temperature = fit_temperature(data.samples, data.labels),
                   vector      = fit_vector_scaling(data.samples, data.labels);
        EXPECT_LE(temperature.nll_after, temperature.nll_before);
        EXPECT_LE(vector.nll_after, temperature.nll_after);
        EXPECT_EQ(vector.nll_before, temperature.nll_before);
    }
    for (const double away : {0.2, 1.0, 30.0}) {
        auto data = reference_numbers();
        for (double& y : data.targets)
            y *= away;
        const auto sigma = fit_sigma_scaling(data.samples, data.targets);
        EXPECT_LE(sigma.nll_after, sigma.nll_before);
    }
}

TEST(VectorScaling, RecoversScalesAndBiases)
{
    auto data        = overconfident(1, 1, 5000, 3);
    const double a[] = {0.5, 2, 1}, b[] = {1, -1, 0};
    auto distorted = data.samples.values;   // ln p = a ∘ ln p' + b has the inverse (ln p − b)/a
    for (std::size_t i = 0; i < distorted.size(); ++i)
        distorted[i] = (distorted[i] - b[i % 3]) / a[i % 3];
    const auto fitted = fit_vector_scaling(classes_from_logits(distorted, 1, 5000, 3), data.labels);
    EXPECT_LE(fitted.nll_after, recalibrated_nll({}, data.samples, data.labels) + 2e-3);
    EXPECT_NEAR(fitted.bias[0] + fitted.bias[1] + fitted.bias[2], 0, 1e-9);
    for (const double scale : fitted.scale)
        EXPECT_GT(scale, 0);
}

TEST(SigmaScaling, OfOneGaussianIsTheRootMeanSquareOfZ)
{
    const auto data = reference_numbers(1);
    double squares  = 0;
    for (int i = 0; i < data.samples.n_inputs; ++i)
        squares += std::pow((data.targets[i] - data.samples.f[i]) / data.samples.s[i], 2) / data.samples.n_inputs;
    EXPECT_NEAR(fit_sigma_scaling(data.samples, data.targets).factor, std::sqrt(squares), 1e-6);
}

TEST(SigmaScaling, ScalesTheStandardDeviationAboutTheMean)
{
    auto data         = reference_numbers();
    const auto before = data.samples;
    recalibrate({.kind = RecalibrationKind::sigma, .factor = 1.7}, data.samples);
    const auto mean = mean_function(before), mean_after = mean_function(data.samples);
    const auto variance = [](const RegressionSamples& samples, int i, double m) {
        double sum = 0;
        for (int s = 0; s < samples.n_samples; ++s) {
            const auto j = static_cast<std::size_t>(s * samples.n_inputs + i);
            sum += std::pow(samples.f[j] - m, 2) + samples.s[j] * samples.s[j];
        }
        return sum / samples.n_samples;
    };
    for (int i = 0; i < before.n_inputs; ++i) {
        EXPECT_NEAR(mean_after[i], mean[i], 1e-14);
        EXPECT_NEAR(variance(data.samples, i, mean[i]), 1.7 * 1.7 * variance(before, i, mean[i]), 1e-13);
    }
    EXPECT_NEAR(regression_nll_each(data.samples, data.targets)[5],
                recalibrated_nll({.kind = RecalibrationKind::sigma, .factor = 1.7},
                                 {.n_samples = 3,
                                  .n_inputs  = 1,
                                  .f         = {before.f[5], before.f[29], before.f[53]},
                                  .s         = {before.s[5], before.s[29], before.s[53]}},
                                 std::vector{data.targets[5]}),
                1e-12);
}

TEST(Recalibration, OfLogitsSamplesAndNllAgree)
{
    const auto data = reference_classes();
    const Recalibration vector{.kind = RecalibrationKind::vector, .scale = {0.5, 1.5, 1}, .bias = {0.3, -0.2, -0.1}};
    for (const auto& how : {Recalibration{.kind = RecalibrationKind::temperature, .temperature = 1.8}, vector}) {
        auto samples = data.samples;
        recalibrate(how, samples);
        EXPECT_NEAR(recalibrated_nll({}, samples, data.labels), recalibrated_nll(how, data.samples, data.labels),
                    1e-12);
        std::vector<float> logits(data.logits.begin(), data.logits.end());
        recalibrate_logits(how, logits, 3);
        std::vector<double> logs(logits.size());
        log_softmax_rows(logits, 3, logs);
        for (std::size_t i = 0; i < logs.size(); ++i)
            EXPECT_NEAR(logs[i], samples.values[i], 1e-5);
    }
    std::vector<float> of_two_classes(4);
    EXPECT_THROW(recalibrate_logits(vector, of_two_classes, 2), Error);
}

TEST(Recalibration, HasTheSameBitsOnAnyNumberOfThreads)
{
    const auto data = overconfident(2, 3, 500, 3, 0.5);
    std::vector<Recalibration> fits;
    for (const int threads : {1, 3})
        Threads(threads).run([&] { fits.push_back(fit_vector_scaling(data.samples, data.labels)); });
    EXPECT_EQ(fits[0], fits[1]);
}

TEST(CalibratedLogLikelihood, IgnoresTheTemperatureOfThePredictions)
{
    const auto data = overconfident(3, 1, 2000, 4);
    auto p          = data.samples.values;
    for (double& one : p)
        one = std::exp(one);
    const auto calibrated = calibrated_log_likelihood(class_predictions(SampleView<double>{p, 1, 2000, 4}),
                                                      data.labels);
    ASSERT_TRUE(calibrated);
    const auto fitted = fit_temperature(data.samples, data.labels);
    EXPECT_LE(*calibrated, -fitted.nll_after);   // the temperature of the other half is not better
    EXPECT_GT(*calibrated, -fitted.nll_after - 0.01);
    EXPECT_GT(*calibrated, -fitted.nll_before);
}

TEST(CalibratedLogLikelihood, NeedsFourRows)
{
    const std::vector<double> p{0.5, 0.5, 0.2, 0.8};
    EXPECT_FALSE(calibrated_log_likelihood(class_predictions(SampleView<double>{p, 1, 2, 2}), std::vector{0, 1}));
}
