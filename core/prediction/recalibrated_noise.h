// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/noise_distribution.h"
#include "prediction/level_map.h"

namespace credence {

/// A noise distribution whose mixtures F are mapped to R(F(y)). Quantities of several components
/// are those of the recalibrated mixture, which is not a mixture of recalibrated components.
class RecalibratedNoise final : public NoiseDistribution {
public:
    RecalibratedNoise(std::shared_ptr<const NoiseDistribution> noise, std::shared_ptr<const LevelMap> levels);

    const NoiseDistribution& unmapped() const { return *noise_; }
    const LevelMap& levels() const { return *levels_; }

    bool is_recalibrated() const override { return true; }
    double quantile_of_e(double p) const override { return noise_->quantile_of_e(levels_->inverse(p)); }
    PartialMoments partial_moments_of_e(double z) const override;
    double mixture_cdf(std::span<const double> f, std::span<const double> s, double y) const override;
    MixturePoint tabulated_mixture(std::span<const double> f, std::span<const double> s, double y) const override;
    double mixture_density(std::span<const double> f, std::span<const double> s, double y) const override;
    /// Writes log densities whose exponentials have the mean mixture_density.
    void log_densities(std::span<const double> f, std::span<const double> s, double y,
                       std::span<double> out) const override;
    /// By mapped_mixture_crps.
    double mixture_crps(std::span<const double> f, std::span<const double> s, double y) const override;
    /// In closed form, given the quantiles q_k of the knots. With slopes b_k and H(q) = E[h(Y); Y <= q] of
    /// the mixture:
    ///     E h(Y′) = b_K E h(Y) − Σ_k (b_k − b_{k−1}) H(q_k),   h(y) = y and y²
    MixtureMoments mixture_moments(std::span<const double> f, std::span<const double> s) const override;

private:
    std::vector<double> knot_quantiles(std::span<const double> f, std::span<const double> s) const;

    std::shared_ptr<const NoiseDistribution> noise_;
    std::shared_ptr<const LevelMap> levels_;
};

/// The noise as recalibrated noise; null if it is not.
const RecalibratedNoise* recalibrated_noise(const NoiseDistribution& noise);

}   // namespace credence
