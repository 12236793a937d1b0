// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/neighbour_correlation.h"
#include "posterior/options.h"
#include "posterior/pieces.h"
#include "posterior/scratch.h"
#include "posterior/variational_family.h"

namespace credence {

/// Common base of LayerScale and Tridiagonal: w_i = m_i (1 + τ e_i) with one τ = softplus(δ) a
/// block and standard normal e. LayerScale uses e = x, the noise itself. Tridiagonal gives
/// neighbours in a block the correlation ρ = ½ tanh(γ/2) (docs/maths.md, section 1):
///     e_i = sgn(m_{i-1}) s_{i-1} x_{i-1} + sgn(m_{i+1}) t_i x_i
/// where the second term of the last weight in a block is sgn(m_K) t_K x_K.
///
/// Free parameters: means [n], δ [blocks], and if correlated γ [blocks].
/// Gradients (g = dL/dw), each O(K), because the signs are constant almost everywhere:
///     ∂L/∂m_i = g_i (1 + τ e_i),   ∂L/∂δ = w_δ Σ g_i m_i e_i,   ∂L/∂γ = w_γ τ Σ g_i m_i ė_i
/// Closed KL to N(μ, ζ²):
///     ∂/∂m_i = -1/m_i + (τ²/ζ²) m_i + (m_i - μ_i)/ζ²
///     ∂/∂δ   = w_δ (τ‖m‖²/ζ² - K/τ),   ∂/∂γ = -½ w_γ d ln D_K/dρ
/// Sampled complexity, h = -∂ln p/∂w:
///     ∂/∂m_i = h_i (1 + τ e_i) - 1/m_i
///     ∂/∂δ   = w_δ (Σ h_i m_i e_i - K/τ),   ∂/∂γ = w_γ (τ Σ h_i m_i ė_i - ½ d ln D_K/dρ)
/// Source: Steinbrener et al. 2020, (11)–(31) and Posch and Pilz 2021, (16)–(58).
template <class T, bool correlated>
class ScaledMeans : public VariationalFamily<T> {
public:
    std::vector<ParameterGroup> groups() const override;
    NoiseIn noise_in() const override { return NoiseIn::weights; }
    void draw(NoiseKey key, Draw<T>& out) const override;
    void transform(Draw<T>& out) const override;
    void pullback(const Draw<T>& draw, std::span<const T> loss_gradient, const Complexity& complexity,
                  GradientSink<T> sink) const override;
    std::optional<double> kl(const Prior& prior) const override;
    std::optional<double> sampled_complexity(const Draw<T>& draw, const Prior& prior) const override;
    void apply_guards(NoiseKey coins) override;
    void moments(std::span<float> mean, std::span<float> sd) const override;
    std::optional<std::vector<double>> neighbour_correlations() const override;
    LayerUncertainty describe() const override;

    double tau(std::size_t block) const;   ///< softplus(δ)
    double rho(std::size_t block) const;   ///< σ(γ) - ½; 0 if not correlated

protected:
    /// @param means  [n], none of them 0 (a mean closer to 0 than 1e-6 is moved to that distance,
    /// keeping its sign)
    ScaledMeans(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means);

private:
    struct BlockTerms {
        double tau, w_delta, rho, w_gamma;
        double prior_precision;        ///< closed KL: 1/ζ²
        CorrelationPrefix<T> prefix;   ///< correlated only
    };
    /// Sums over a tile: Σ g m e and Σ g m ė; of the complexity Σ h m e (closed: Σ m²) and Σ h m ė.
    struct PieceSums {
        double delta, gamma, complexity_delta, complexity_gamma;
    };
    struct Terms {
        Scratch scratch;
        std::span<BlockTerms> blocks;
        Terms(const ScaledMeans& self, std::size_t more_bytes);
    };

    std::size_t n() const { return pieces_.n_weights(); }
    std::size_t n_blocks() const { return this->layout_.blocks.size(); }
    std::size_t prefix_capacity(std::size_t block) const;
    void transform_chunk(const Terms& terms, std::size_t first, std::size_t last, T noise_before, Draw<T>& out) const;

    Pieces pieces_;
    bool guard_gamma_, guard_spread_;
};

extern template class ScaledMeans<float, false>;
extern template class ScaledMeans<double, false>;
extern template class ScaledMeans<float, true>;
extern template class ScaledMeans<double, true>;

}   // namespace credence
