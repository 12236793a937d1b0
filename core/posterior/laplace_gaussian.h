// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/curvature.h"
#include "posterior/weight_distribution.h"

namespace credence {

/// The Laplace approximation N(θ_MAP, Σ), Σ⁻¹ = curvature + λI (Hobbhahn 2020, (3.1)–(3.9)), with the correlations that the curvature's structure has. Weights outside the
/// covered layers are fixed: their standard deviation is 0.
///
/// Free parameters: the means, which are θ_MAP. Σ does not depend on them, so that it is no family to train: pullback shifts the means alone.
/// Draws from standard normal x [layout.size()] (those of fixed weights are not used):
///     diagonal:  w_i = θ_i + x_i / √(d_i + λ)
///     Kronecker: W = Θ + V_Bᵀ (X ∘ s) V_A,  s_oi = 1/√precision of eigenvector (o, i), V by rows
///     full:      w = θ + x/√λ + Uᵀ[(U x) ∘ (1/√(e + λ) − 1/√λ)] with r < P eigenvectors U;  r = P: θ + Uᵀ(x ∘ 1/√(e + λ))
template <class T>
class LaplaceGaussian final : public WeightDistribution<T> {
public:
    /// @param precision  λ > 0. @throws Error if it is not, or if curvature + λI is not positive (exact Hessians only)
    LaplaceGaussian(std::shared_ptr<const Curvature> curvature, double precision);

    const std::shared_ptr<const Curvature>& curvature() const { return curvature_; }
    double precision() const { return precision_; }
    /// The same curvature under another prior: O(P).
    std::unique_ptr<LaplaceGaussian> with_precision(double precision) const { return std::make_unique<LaplaceGaussian>(curvature_, precision); }

    Family family() const override { return Family::laplace; }
    std::unique_ptr<WeightDistribution<T>> clone() const override { return std::make_unique<LaplaceGaussian>(*this); }
    std::vector<ParameterGroup> groups() const override;
    bool has_weight_noise() const override { return true; }
    void sample(NoiseKey key, Draw<T>& out) const override;
    void transform(Draw<T>& out) const override;
    void pullback(const Draw<T>& draw, std::span<const T> loss_gradient, const Complexity& complexity, GradientSink<T> sink) const override;
    /// KL to Gaussian priors, if every weight is uncertain; else empty.
    std::optional<double> kl(const Prior& prior) const override;
    std::optional<double> sampled_complexity(const Draw<T>&, const Prior&) const override { return std::nullopt; }
    void moments(std::span<float> mean, std::span<float> sd) const override;
    LayerUncertainty describe() const override;

    /// Var w_i, in double [layout.size()]; 0 for fixed weights.
    std::vector<double> variances() const;
    /// 1/precision of each eigenvector (o, i) of Kronecker factor f [out × in].
    const std::vector<double>& kronecker_variances(std::size_t f) const { return kronecker_variances_[f]; }

private:
    std::shared_ptr<const Curvature>  curvature_;
    double                            precision_;
    std::vector<aligned_vector<T>>    scales_;               // diagonal: one [covered]; Kronecker: of each factor [out × in]; full: one [r]
    std::vector<std::vector<double>>  kronecker_variances_;
};

extern template class LaplaceGaussian<float>;
extern template class LaplaceGaussian<double>;

}  // namespace credence
