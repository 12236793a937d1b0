// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihoods/in_both_precisions.h"
#include "network/noise_distribution.h"
#include "network/noise_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace credence {
namespace {

using likelihood_parts::half_log_two_pi;

/// y | f ~ N(f, s²): −ln p = (y − f)²/(2s²) + ln s + ½ ln 2π, s given.
class Gaussian final : public likelihood_parts::InBothPrecisions<Gaussian> {
public:
    explicit Gaussian(double sd) : sd_(sd) {}

    std::vector<double> parameters() const override { return {sd_}; }
    int n_outputs(int /*n_classes*/) const override { return 1; }
    std::optional<double> constant_scale() const override { return sd_; }

    template <class T>
    double value_of(std::span<const T> outputs, int n, int /*k*/, const Targets& targets, std::span<T> gradient,
                    T scale, int* correct) const
    {
        assert(targets.values.size() >= static_cast<std::size_t>(n));
        double total = 0;
        if (correct)
            *correct = 0;
        const double inverse_variance = 1 / (sd_ * sd_);
        const double constant         = std::log(sd_) + half_log_two_pi;
        for (int i = 0; i < n; ++i) {
            const double residual = static_cast<double>(outputs[i]) - static_cast<double>(targets.values[i]);
            total += 0.5 * residual * residual * inverse_variance + constant;
            if (!gradient.empty())
                gradient[i] = scale * static_cast<T>(residual * inverse_variance);
        }
        return total;
    }

    double log_density(const UnitRows& at, const double* targets, double* /*scratch*/) const override
    {
        const double precision = 1 / (sd_ * sd_);
        double squares         = 0;
#pragma omp simd reduction(+ : squares)
        for (int j = 0; j < at.rows; ++j) {
            const double residual = targets[j] - at.outputs[j];
            squares += residual * residual;
            at.outputs[j] = residual * precision;
        }
        return -0.5 * precision * squares - at.rows * (std::log(sd_) + half_log_two_pi);
    }

    int curvature_columns(int /*n_outputs*/) const override { return 1; }
    bool curvature_is_exact() const override { return true; }
    template <class T>
    void roots_of(std::span<const T> outputs, int /*k*/, T* roots, std::size_t /*next*/) const
    {
        std::fill_n(roots, outputs.size(), static_cast<T>(1 / sd_));
    }
    void hessian(std::span<const double> /*outputs*/, double /*target*/, std::span<double> hessian) const override
    {
        hessian[0] = 1 / (sd_ * sd_);
    }

    int n_predicted(int /*n_outputs*/) const override { return 2; }
    void predict(std::span<const float> outputs, int k, float* predicted, float* entropy) const override
    {
        likelihood_parts::predict_with_sd(outputs, k, sd_, predicted, entropy);
    }
    std::shared_ptr<const NoiseDistribution> noise() const override { return normal_noise(); }

private:
    double sd_;
};

}   // namespace

Likelihood Likelihood::gaussian(double sd) { return Likelihood(std::make_shared<const Gaussian>(sd)); }

NoiseModel gaussian_noise_model()
{
    return {.id         = "given",
            .title      = "Given",
            .hint       = "You know the measurement noise; the band adds the network's own uncertainty.",
            .settings   = {{.path  = "network.noise_sd",
                            .label = "Noise s",
                            .unit  = "target units",
                            .help  = "Standard deviation of the measurement noise, in the units of y. It sets how "
                                       "closely the curve follows the points: if it is too small, the posterior is "
                                       "overconfident; if it is too large, the posterior ignores the data. The "
                                       "import of a table estimates it from the targets of neighbouring rows.",
                            .usual = 0.1,
                            .min   = 0,
                            .max   = 1e12,
                            .in_target_units = true,
                            .written_if_used = false}},
            .likelihood = [](std::span<const double> values) { return Likelihood::gaussian(values[0]); }};
}

}   // namespace credence
