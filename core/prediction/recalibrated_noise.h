// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/noise_distribution.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace credence {

/// A continuous, strictly increasing, piecewise linear map R of [0, 1] with R(0) = 0 and R(1) = 1,
/// from the levels of a predictive distribution to the observed frequencies below them. A
/// distribution F becomes R(F(y)), with the density R′(F(y)) f(y) and the quantiles F⁻¹(R⁻¹(u)).
/// Source: Kuleshov, Fenner and Ermon 2018
class LevelMap {
public:
    LevelMap() = default;   ///< the identity
    /// @param levels, frequencies  the knots, both strictly increasing from 0 to 1; @throws Error otherwise
    LevelMap(std::vector<double> levels, std::vector<double> frequencies);

    double operator()(double level) const;
    double inverse(double frequency) const;
    /// R′; at a knot, the slope of the segment to its right.
    double slope(double level) const;

    bool is_identity() const { return levels_.size() == 2; }
    std::size_t n_segments() const { return levels_.size() - 1; }
    const std::vector<double>& levels() const { return levels_; }
    const std::vector<double>& frequencies() const { return frequencies_; }
    bool operator==(const LevelMap&) const = default;

private:
    std::vector<double> levels_{0, 1}, frequencies_{0, 1};
};

/// The map fitted to probability integral transforms v_i = F_i(y_i). Its slopes are a histogram of v
/// whose bins are found by halving. With n values in a bin, n₁ of them in its lower half:
///
///     halve if  B(n₁ + ½, n − n₁ + ½) / B(½, ½) · 2ⁿ · E₁ · E₂ · ⅓ > 1,   E: the same of the halves, at least 1
///     share of the lower half = (n₁ + ½) / (n + 1)
///
/// so that uniform values give the identity, every slope is positive, and Σ ln R′(v_i) >= 0: the mean
/// log density of these values never falls. A bin is at least 2⁻²⁰ wide.
/// @throws Error if a value is outside [0, 1]
/// Sources: Kuleshov, Fenner and Ermon 2018; Wong and Ma 2010 (optional Pólya trees)
LevelMap fit_level_map(std::span<const double> values);

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
