// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/elementary.h"
#include "foundation/elementary_double.h"
#include "network/likelihoods/in_both_precisions.h"
#include "network/noise_distribution.h"
#include "network/noise_model.h"

#include <cassert>
#include <cmath>

namespace credence {
namespace {

/// Smallest standard deviation, so that an exact fit does not make the likelihood infinite.
constexpr double smallest_noise_sd = 1e-3;

/// A Gaussian whose standard deviation is learned. The outputs are f and t:
/// y | f, t ~ N(f, s²), s = softplus(t) + smallest_noise_sd.
/// t depends on the input, or is one level for all inputs: a constant output.
/// With β > 0 the gradient of each row is multiplied by s^{2β} (Seitzer et al. 2022): the gradient
/// of the β-NLL, whose factor s^{2β} is not differentiated. Values remain those of the NLL.
class GaussianLearned final : public likelihood_parts::InBothPrecisions<GaussianLearned> {
public:
    GaussianLearned(bool one_level, double beta) : one_level_(one_level), beta_(beta) {}

    std::vector<double> parameters() const override { return {one_level_ ? 1.0 : 0.0, beta_}; }
    int n_constant_outputs() const override { return one_level_ ? 1 : 0; }
    bool is_exact() const override { return beta_ == 0; }
    int n_outputs(int /*n_classes*/) const override { return 2; }

    /// d nll/ds = 1/s - r²/s³, ds/dt = σ(t)
    template <class T>
    double value_of(std::span<const T> outputs, int n, int /*k*/, const Targets& targets, std::span<T> gradient,
                    T scale, int* correct) const
    {
        assert(targets.values.size() >= static_cast<std::size_t>(n));
        double total = 0;
        if (correct)
            *correct = 0;
        for (int i = 0; i < n; ++i) {
            const double residual = static_cast<double>(outputs[2 * i]) - static_cast<double>(targets.values[i]);
            const double t        = static_cast<double>(outputs[2 * i + 1]);
            const double s        = softplus(t) + smallest_noise_sd;
            const double inverse_variance = 1 / (s * s);
            total += 0.5 * residual * residual * inverse_variance + std::log(s) + likelihood_parts::half_log_two_pi;
            if (!gradient.empty()) {
                const T factor      = beta_ == 0 ? scale : scale * static_cast<T>(std::pow(s, 2 * beta_));
                gradient[2 * i]     = factor * static_cast<T>(residual * inverse_variance);
                gradient[2 * i + 1] = factor
                                      * static_cast<T>((1 - residual * residual * inverse_variance) / s * sigmoid(t));
            }
        }
        return total;
    }

    /// d ln p/dt = ((y - f)²/s² - 1)/s · σ(t)
    double log_density(const UnitRows& at, const double* __restrict targets, double* __restrict scratch) const override
    {
        double* const __restrict f = at.outputs;
        double* const __restrict t = at.outputs + at.stride;
#pragma omp simd
        for (int j = 0; j < at.padded; ++j) {
            const double z = fast_exp(-std::fabs(t[j]));   // softplus and its slope from one exponential
            const double s = (t[j] > 0 ? t[j] : 0.0) + fast_log1p_unit(z) + smallest_noise_sd, inverse = 1 / s;
            const double slope = (t[j] < 0 ? z : 1.0) / (1 + z), scaled = (targets[j] - f[j]) * inverse;
            scratch[j] = -0.5 * scaled * scaled - fast_log(s);
            f[j]       = scaled * inverse;
            t[j]       = (scaled * scaled - 1) * inverse * slope;
        }
        return likelihood_parts::sum_of(scratch, at.rows) - at.rows * likelihood_parts::half_log_two_pi;
    }

    /// The Fisher information of (f, t), which is the mean of the exact second derivative under the
    /// model: Λ = diag(1/s², 2 σ(t)²/s²).
    int curvature_columns(int /*n_outputs*/) const override { return 2; }
    bool curvature_is_exact() const override { return false; }
    template <class T>
    void roots_of(std::span<const T> outputs, int /*k*/, T* roots, std::size_t next) const
    {
        for (std::size_t i = 0; i < outputs.size(); i += 2) {
            const auto [s, slope] = noise_at(static_cast<double>(outputs[i + 1]));
            T* const root         = roots + i;
            root[0]               = static_cast<T>(1 / s);
            root[1]               = 0;
            root[next]            = 0;
            root[next + 1]        = static_cast<T>(std::sqrt(2.0) * slope / s);
        }
    }

    /// With r = f − y and σ = σ(t):
    ///     ∂²/∂f² = 1/s²,  ∂²/∂f∂t = −2 r σ/s³,
    ///     ∂²/∂t² = (3r²/s⁴ − 1/s²) σ² + (1/s − r²/s³) σ (1 − σ)
    void hessian(std::span<const double> outputs, double target, std::span<double> hessian) const override
    {
        const auto [s, slope] = noise_at(outputs[1]);
        const double r = outputs[0] - target, s2 = s * s;
        hessian[0] = 1 / s2;
        hessian[1] = hessian[2] = -2 * r * slope / (s2 * s);
        hessian[3] = (3 * r * r / s2 - 1) / s2 * slope * slope + (1 - r * r / s2) / s * slope * (1 - slope);
    }

    int n_predicted(int /*n_outputs*/) const override { return 2; }
    void predict(std::span<const float> outputs, int /*k*/, float* predicted, float* entropy) const override
    {
        for (std::size_t i = 0; 2 * i < outputs.size(); ++i) {
            predicted[2 * i]     = outputs[2 * i];
            predicted[2 * i + 1] = static_cast<float>(softplus(static_cast<double>(outputs[2 * i + 1]))
                                                      + smallest_noise_sd);
            entropy[i]           = 0;
        }
    }
    std::shared_ptr<const NoiseDistribution> noise() const override { return normal_noise(); }

private:
    struct NoiseAt {
        double s, slope;   // softplus(t) + smallest, σ(t)
    };
    static NoiseAt noise_at(double t) { return {softplus(t) + smallest_noise_sd, sigmoid(t)}; }

    bool one_level_;
    double beta_;
};

}   // namespace

Likelihood Likelihood::gaussian_with_learned_sd(bool one_level, double beta)
{
    return Likelihood(std::make_shared<const GaussianLearned>(one_level, beta));
}

NoiseModel gaussian_learned_noise_model()
{
    return {
        .id    = "learned",
        .title = "Learned",
        .hint  = "A second output gives the noise at each x: for noise that changes with x.",
        .settings =
            {{.path  = "network.noise_beta",
              .label = "β of the β-NLL",
              .help =
                  "Multiplies the gradient of each row by s^{2β}, so that rows with large predicted noise are not "
                  "neglected. 0 is the likelihood itself, 0.5 is recommended, and 1 fits f as least squares does. With "
                  "β > 0 the objective is not a likelihood, so methods that sample from the posterior, and the Laplace "
                  "approximation, cannot use it. Source: Seitzer et al. 2022.",
              .usual              = 0,
              .min                = 0,
              .max                = 1,
              .min_allowed        = true,
              .written_if_changed = true}},
        .likelihood = [](std::span<const double> values) {
            return Likelihood::gaussian_with_learned_sd(false, values[0]);
        }};
}

}   // namespace credence
