// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/neighbour_correlation.h"
#include "posterior/options.h"
#include "posterior/variational_family.h"
#include "posterior/weight_passes.h"
#include "random/noise.h"

#include <cmath>

namespace credence {

// The numerical guards of Posch and Pilz 2021, pseudocode lines 7–25 (docs/maths.md, section 10).
// `coin` is +1 or -1, the sign given to a value near zero.

inline constexpr double guard_smallest_gamma = 0.04000533;   ///< |ρ| >= 0.01
inline constexpr double guard_largest_gamma  = 10;           ///< |ρ| <= 0.4999546
inline constexpr double guard_smallest_delta = -4.600166;    ///< τ >= 0.01
inline constexpr double guard_smallest_mean  = 1e-6;

template <class T>
T away_from_zero(T value, T smallest, T coin)
{
    return std::fabs(value) < smallest ? coin * smallest : value;
}
template <class T>
T guarded_mean(T mean, T coin, T smallest = T(guard_smallest_mean))
{
    return away_from_zero(mean, smallest, coin);
}
template <class T>
T guarded_delta(T delta, T smallest = T(guard_smallest_delta))
{
    return delta < smallest ? smallest : delta;
}
/// |γ| <= 10; keeps the sign.
template <class T>
T limited_gamma(T gamma)
{
    return std::fabs(gamma) > T(guard_largest_gamma) ? std::copysign(T(guard_largest_gamma), gamma) : gamma;
}
/// |γ| >= 0.04000533.
template <class T>
T guarded_gamma(T gamma, T coin)
{
    return away_from_zero(gamma, T(guard_smallest_gamma), coin);
}

/// The fair coin of parameter i: +1 or -1.
template <class T>
T coin_of(NoiseKey key, std::size_t i)
{
    float u;
    uniforms(key, i, std::span<float>(&u, 1));
    return u < 0.5f ? T(-1) : T(1);
}

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
    struct TileSums {
        double delta, gamma, complexity_delta, complexity_gamma;
    };
    struct Terms {
        Scratch scratch;
        std::span<BlockTerms> blocks;
        Terms(const ScaledMeans& self, std::size_t more_bytes);
    };

    std::size_t n() const { return tiles_.n_weights(); }
    std::size_t n_blocks() const { return this->layout_.blocks.size(); }
    std::size_t prefix_capacity(std::size_t block) const;
    void transform_chunk(const Terms& terms, std::size_t first, std::size_t last, T noise_before, Draw<T>& out) const;
    /// Copies the means next to each chunk [chunks]: the sink can update the means of a finished
    /// tile while its neighbour still needs their signs.
    void store_chunk_borders(std::span<T> mean_before, std::span<T> mean_after) const;
    /// Sums the tiles of each block. @param delta_gradient, gamma_gradient  [blocks], out
    void block_gradients(const Terms& terms, std::span<const TileSums> sums, const Complexity& complexity,
                         std::span<T> delta_gradient, std::span<T> gamma_gradient) const;

    WeightTiles tiles_;
    bool guard_gamma_, guard_spread_;
    T smallest_delta_, smallest_mean_;   ///< of guard_spread
};

extern template class ScaledMeans<float, false>;
extern template class ScaledMeans<double, false>;
extern template class ScaledMeans<float, true>;
extern template class ScaledMeans<double, true>;

/// One τ for each block: w = m(1 + τε) (Steinbrener et al. 2020, (11)–(31); "Gauss ind." in Posch
/// and Pilz 2021).
template <class T>
class LayerScale final : public ScaledMeans<T, false> {
public:
    LayerScale(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means)
        : ScaledMeans<T, false>(layout, options, means)
    {}
    Covariance covariance() const override { return this->independent_of_moments(); }
    std::unique_ptr<VariationalFamily<T>> clone() const override { return std::make_unique<LayerScale>(*this); }
};

extern template class LayerScale<float>;
extern template class LayerScale<double>;

/// The factor L of one block of Posch and Pilz 2021, w = m + Lx, with the printed signs.
struct NeighbourFactor {
    std::vector<double> diagonal;      ///< a_i = τ m_i sgn(m_{i+1}) t_i, last τ|m_K| t_K [K]
    std::vector<double> subdiagonal;   ///< c_i = τ s_i sgn(m_i) m_{i+1} [K - 1]
};

/// One τ and one correlation ρ of neighbouring weights per block (Posch and Pilz 2021). Weights are
/// neighbours if they are adjacent in the flat vector. Costs O(K): see ScaledMeans.
template <class T>
class Tridiagonal final : public ScaledMeans<T, true> {
public:
    Tridiagonal(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means)
        : ScaledMeans<T, true>(layout, options, means)
    {}
    Covariance covariance() const override;
    std::unique_ptr<VariationalFamily<T>> clone() const override { return std::make_unique<Tridiagonal>(*this); }

    NeighbourFactor neighbour_factor(std::size_t block) const;
    /// LLᵀ of one block.
    NeighbourCovariance neighbour_covariance(std::size_t block) const;
    /// e of one block with w = m(1 + τe).
    /// @param noise  standard normal x of the block [K]
    std::vector<double> relative_noise(std::size_t block, std::span<const T> noise) const;
};

extern template class Tridiagonal<float>;
extern template class Tridiagonal<double>;

}   // namespace credence
