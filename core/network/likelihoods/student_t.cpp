// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihoods/in_both_precisions.h"
#include "network/noise_distribution.h"
#include "network/noise_model.h"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <mutex>
#include <numbers>
#include <optional>
#include <utility>

namespace credence {
namespace {

/// The distribution of e: −ln p(e) = ½ (ν + 1) ln(1 + e²/ν) + ½ ln(νπ) + ln Γ(ν/2) − ln Γ((ν + 1)/2), ν > 2
class StudentT {
public:
    explicit StudentT(double degrees)
        : degrees_(degrees), constant_(0.5 * std::log(degrees * std::numbers::pi)
                                       + std::log(boost::math::tgamma_delta_ratio(degrees / 2, 0.5)))
    {}

    double degrees() const { return degrees_; }
    double energy(double e) const { return 0.5 * (degrees_ + 1) * std::log1p(e * e / degrees_) + constant_; }
    /// The derivative of `energy`.
    double slope(double e) const { return (degrees_ + 1) * e / (degrees_ + e * e); }
    /// Its second derivative.
    double curvature(double e) const
    {
        const double below = degrees_ + e * e;
        return (degrees_ + 1) * (degrees_ - e * e) / (below * below);
    }
    /// The mean of `curvature` (Fisher information).
    double information() const { return (degrees_ + 1) / (degrees_ + 3); }
    double sd() const { return std::sqrt(degrees_ / (degrees_ - 2)); }
    double cdf(double e) const { return cdf(degrees_, e); }
    double quantile(double p) const { return boost::math::quantile(boost::math::students_t(degrees_), p); }
    /// With T_ν and t_ν the distribution function and the density:
    ///     E[e; e <= z]  = −(ν + z²) t_ν(z) / (ν − 1)
    ///     E[e²; e <= z] = ν ((ν − 1)/(ν − 2) T_{ν−2}(z √((ν − 2)/ν)) − T_ν(z))
    PartialMoments partial_moments(double z) const
    {
        const double share = cdf(z), lighter = degrees_ - 2;
        const double wider = cdf(lighter, z * std::sqrt(lighter / degrees_));
        return {share, -(degrees_ + z * z) * std::exp(-energy(z)) / (degrees_ - 1),
                degrees_ * ((degrees_ - 1) / lighter * wider - share)};
    }

private:
    static double cdf(double degrees, double e)
    {
        using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
        return boost::math::cdf(boost::math::students_t_distribution<double, InDouble>(degrees), e);
    }

    double degrees_, constant_;
};

/// y = f + s e, where s is given.
class StudentTLikelihood final : public likelihood_parts::InBothPrecisions<StudentTLikelihood> {
public:
    StudentTLikelihood(double scale, double degrees)
        : scale_(scale), residual_(degrees), noise_(std::make_shared<Noise>(residual_))
    {}

    std::vector<double> parameters() const override { return {residual_.degrees(), scale_}; }
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
        likelihood_parts::predict_with_sd(outputs, k, scale_ * residual_.sd(), predicted, entropy);
    }
    std::shared_ptr<const NoiseDistribution> noise() const override { return noise_; }

private:
    /// e divided by its standard deviation.
    class Noise final : public NoiseDistribution {
    public:
        explicit Noise(const StudentT& residual) : residual_(residual), sd_(residual.sd()) {}

        double quantile_of_e(double p) const override { return residual_.quantile(p) / sd_; }
        PartialMoments partial_moments_of_e(double z) const override
        {
            const auto at = residual_.partial_moments(z * sd_);
            return {at.share, at.first / sd_, at.second / (sd_ * sd_)};
        }
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
        MixturePoint tabulated_mixture(std::span<const double> f, std::span<const double> s, double y) const override
        {
            std::call_once(tabulated_, [this] {   // P(0 <= e′ <= e)
                half_.emplace(28, [this](double e) {
                    return std::pair{residual_.cdf(e) - 0.5, std::exp(-residual_.energy(e))};
                });
            });
            MixturePoint sum;
            for (std::size_t j = 0; j < f.size(); ++j) {
                const double unit = sd_ / s[j], e = (y - f[j]) * unit;
                const auto half      = (*half_)(std::fabs(e));
                const double density = half.slope * unit;
                sum.cdf += std::copysign(half.value, e);
                sum.density += density;
                sum.slope -= density * residual_.slope(e) * unit;
            }
            const auto n = static_cast<double>(f.size());
            return {0.5 + sum.cdf / n, sum.density / n, sum.slope / n};
        }

    private:
        StudentT residual_;
        double sd_;
        mutable std::once_flag tabulated_;
        mutable std::optional<GrowingTable> half_;
    };

    double scale_;
    StudentT residual_;
    std::shared_ptr<const Noise> noise_;
};

}   // namespace

NoiseModel student_t_noise_model()
{
    return {.id         = "student_t",
            .title      = "Student-t",
            .hint       = "Heavy tails: a few outliers change the curve less than under Gaussian noise.",
            .settings   = {{.path  = "network.noise_scale",
                            .label = "Scale s",
                            .unit  = "target units",
                            .help  = "Scale of the Student-t noise, in the units of y. Its standard deviation is "
                                       "larger: s·√(ν/(ν − 2)).",
                            .usual = 0.1,
                            .min   = 0,
                            .max   = 1e12,
                            .in_target_units = true},
                           {.path  = "network.noise_degrees",
                            .label = "Degrees of freedom ν",
                            .help  = "Shape of the Student-t noise. Near 2, outliers are common; above 30, the noise "
                                       "is almost Gaussian. It must be above 2, so that the noise has a standard "
                                       "deviation.",
                            .usual = 4,
                            .min   = 2,
                            .max   = 1000}},
            .likelihood = [](std::span<const double> values) {
                return Likelihood(std::make_shared<const StudentTLikelihood>(values[0], values[1]));
            }};
}

}   // namespace credence
