// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/curvature.h"
#include "posterior/posterior.h"
#include "posterior/prior.h"
#include "posterior/pruning.h"

#include <memory>

namespace credence {

/// The Laplace approximation N(θ_MAP, Σ), Σ⁻¹ = curvature + λI (Hobbhahn 2020, (3.1)–(3.9)). The
/// curvature structure determines which correlations it includes. Weights outside the covered
/// layers are fixed: their standard deviation is 0.
///
/// Samples are computed from standard normal x [layout.size()]; entries of fixed weights are not
/// used:
///     diagonal:  w_i = θ_i + x_i / √(d_i + λ)
///     Kronecker: W = Θ + V_Bᵀ (X ∘ s) V_A,  s_oi = 1/√precision of eigenvector (o, i), V by rows
///     full:      w = θ + x/√λ + Uᵀ[(U x) ∘ (1/√(e + λ) − 1/√λ)] with r < P eigenvectors U;
///                r = P: w = θ + Uᵀ(x ∘ 1/√(e + λ))
template <class T>
class LaplaceGaussian final : public BasicPosterior<T> {
public:
    /// @param precision  λ > 0
    /// @throws Error  if λ is not positive, or if curvature + λI is not positive definite (exact
    ///                Hessians only)
    LaplaceGaussian(std::shared_ptr<const Curvature> curvature, double precision);

    const std::shared_ptr<const Curvature>& curvature() const { return curvature_; }
    double precision() const { return precision_; }
    /// The same curvature with another prior precision, in O(P).
    std::unique_ptr<LaplaceGaussian> with_precision(double precision) const
    {
        return std::make_unique<LaplaceGaussian>(curvature_, precision);
    }

    NoiseIn noise_in() const override { return NoiseIn::weights; }
    void draw(NoiseKey key, Draw<T>& out) const override;
    /// Computes out.weights from the existing out.noise, as `draw` does.
    void transform(Draw<T>& out) const;
    std::span<const T> means() const override { return map_; }
    void moments(std::span<float> mean, std::span<float> sd) const override;
    std::size_t first_uncertain_weight() const override { return curvature_->first_weight(); }
    Covariance covariance() const override;
    LayerUncertainty describe() const override;
    std::span<const T> numbers() const override { return map_; }
    /// KL divergence to a Gaussian prior; empty for other priors, or if some weights are fixed.
    std::optional<double> kl(const Prior& prior) const;

    /// Variances of the weights, in double [layout.size()]; 0 for fixed weights.
    std::vector<double> variances() const;

private:
    void add_kronecker(std::size_t factor, Draw<T>& out) const;   // its deviation from θ_MAP
    void add_full(Draw<T>& out) const;
    LowRankCovariance low_rank_covariance() const;

    std::shared_ptr<const Curvature> curvature_;
    double precision_;
    aligned_vector<T> map_;   // θ_MAP
    // diagonal: [covered]; Kronecker: one [out × in] per factor; full: [r]
    std::vector<aligned_vector<T>> scales_;
    std::vector<std::vector<double>> kronecker_variances_;   // 1/precision along eigenvector (o, i) [out × in]
};

/// The posterior as a Laplace approximation; null for any other posterior.
const LaplaceGaussian<float>* laplace_of(const Posterior& posterior);

/// As above, also for a posterior whose weights were pruned.
inline std::shared_ptr<const LaplaceGaussian<float>> laplace_of(const std::shared_ptr<const Posterior>& posterior)
{
    return std::dynamic_pointer_cast<const LaplaceGaussian<float>>(whole_of(posterior));
}

extern template class LaplaceGaussian<float>;
extern template class LaplaceGaussian<double>;

}   // namespace credence
