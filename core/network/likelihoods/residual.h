// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihoods/in_both_precisions.h"
#include "network/noise_distribution.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace credence::likelihood_parts {

/// y = f + s e, where s is given and e has a distribution of mean 0 that does not depend on the
/// input. A `Residual` is a value with the functions
///     energy(e)       −ln p(e)
///     slope(e)        its derivative
///     curvature(e)    its second derivative
///     information()   the mean of curvature(e), which is positive (Fisher information)
///     sd(), cdf(e), quantile(p)
///     parameters()    as a list
template <class Residual>
class ResidualLikelihood final : public InBothPrecisions<ResidualLikelihood<Residual>> {
public:
    ResidualLikelihood(double scale, Residual residual)
        : scale_(scale), residual_(residual), noise_(std::make_shared<Noise>(residual))
    {}

    std::vector<double> parameters() const override
    {
        auto all = residual_.parameters();
        all.push_back(scale_);
        return all;
    }
    int n_outputs(int /*n_classes*/) const override { return 1; }
    std::optional<double> constant_scale() const override { return scale_; }

    template <class T>
    double value_of(std::span<const T> outputs, int n, int /*k*/, const Targets& targets, std::span<T> gradient,
                    T scale, int* correct) const
    {
        assert(targets.values.size() >= static_cast<std::size_t>(n));
        if (correct)
            *correct = 0;
        double total = n * std::log(scale_);
        for (int i = 0; i < n; ++i) {
            const double e = (static_cast<double>(targets.values[i]) - static_cast<double>(outputs[i])) / scale_;
            total += residual_.energy(e);
            if (!gradient.empty())
                gradient[i] = scale * static_cast<T>(-residual_.slope(e) / scale_);
        }
        return total;
    }

    double log_density(const UnitRows& at, const double* targets, double* /*scratch*/) const override
    {
        double total = -at.rows * std::log(scale_);
        for (int j = 0; j < at.rows; ++j) {
            const double e = (targets[j] - at.outputs[j]) / scale_;
            total -= residual_.energy(e);
            at.outputs[j] = residual_.slope(e) / scale_;
        }
        return total;
    }

    /// Λ = information/s²: the exact second derivative can be negative far from the mean.
    int curvature_columns(int /*n_outputs*/) const override { return 1; }
    bool curvature_is_exact() const override { return false; }
    template <class T>
    void roots_of(std::span<const T> outputs, int /*k*/, T* roots, std::size_t /*next*/) const
    {
        std::fill_n(roots, outputs.size(), static_cast<T>(std::sqrt(residual_.information()) / scale_));
    }
    void hessian(std::span<const double> outputs, double target, std::span<double> hessian) const override
    {
        hessian[0] = residual_.curvature((target - outputs[0]) / scale_) / (scale_ * scale_);
    }

    int n_predicted(int /*n_outputs*/) const override { return 2; }
    void predict(std::span<const float> outputs, int k, float* predicted, float* entropy) const override
    {
        predict_with_sd(outputs, k, scale_ * residual_.sd(), predicted, entropy);
    }
    std::shared_ptr<const NoiseDistribution> noise() const override { return noise_; }

private:
    /// e divided by its standard deviation.
    class Noise final : public NoiseDistribution {
    public:
        explicit Noise(const Residual& residual) : residual_(residual), sd_(residual.sd()) {}

        double quantile_of_e(double p) const override { return residual_.quantile(p) / sd_; }
        double mixture_cdf(std::span<const double> f, std::span<const double> s, double y) const override
        {
            double sum = 0;
            for (std::size_t j = 0; j < f.size(); ++j)
                sum += residual_.cdf((y - f[j]) / s[j] * sd_);
            return sum / static_cast<double>(f.size());
        }
        double mixture_density(std::span<const double> f, std::span<const double> s, double y) const override
        {
            double sum = 0;
            for (std::size_t j = 0; j < f.size(); ++j)
                sum += std::exp(-residual_.energy((y - f[j]) / s[j] * sd_)) / s[j];
            return sum * sd_ / static_cast<double>(f.size());
        }
        void log_densities(std::span<const double> f, std::span<const double> s, double y,
                           std::span<double> out) const override
        {
            for (std::size_t j = 0; j < f.size(); ++j)
                out[j] = std::log(sd_ / s[j]) - residual_.energy((y - f[j]) / s[j] * sd_);
        }

    private:
        Residual residual_;
        double sd_;
    };

    double scale_;
    Residual residual_;
    std::shared_ptr<const Noise> noise_;
};

/// The likelihood of y = f + scale * e.
template <class Residual>
Likelihood residual_likelihood(double scale, const Residual& residual)
{
    return Likelihood(std::make_shared<const ResidualLikelihood<Residual>>(scale, residual));
}

}   // namespace credence::likelihood_parts
