// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/options.h"
#include "posterior/variational_family.h"
#include "posterior/weight_passes.h"

namespace credence {

/// A mean and a standard deviation for each weight: w = μ + σε, σ = softplus(r) (Bayes by Backprop,
/// Blundell et al. 2015).
///
/// Free parameters: means μ [n], then pre-softplus standard deviations r [n] (their ρ). Gradients
/// with g = dL/dw and weight ν:
///     closed KL to N(m, s²):  ∂μ: g + ν (μ - m)/s²,   ∂r: σ'(r) (g ε + ν (σ/s² - 1/σ))
///     sampled, h = -∂ln p/∂w: ∂μ: g + ν h,            ∂r: σ'(r) (g ε + ν (h ε - 1/σ))
/// Source: Blundell et al. 2015, (1)–(9), docs/maths.md, section 3.
template <class T>
class MeanField final : public VariationalFamily<T> {
public:
    MeanField(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means);

    std::unique_ptr<VariationalFamily<T>> clone() const override { return std::make_unique<MeanField>(*this); }
    std::vector<ParameterGroup> groups() const override;
    NoiseIn noise_in() const override { return NoiseIn::weights; }
    void draw(NoiseKey key, Draw<T>& out) const override;
    void transform(Draw<T>& out) const override;
    void pullback(const Draw<T>& draw, std::span<const T> loss_gradient, const Complexity& complexity,
                  GradientSink<T> sink) const override;
    std::optional<double> kl(const Prior& prior) const override;
    std::optional<double> sampled_complexity(const Draw<T>& draw, const Prior& prior) const override;
    void moments(std::span<float> mean, std::span<float> sd) const override;
    std::optional<std::vector<double>> neighbour_correlations() const override
    {
        return std::vector<double>(this->layout_.blocks.size());
    }
    Covariance covariance() const override { return this->independent_of_moments(); }
    LayerUncertainty describe() const override;

private:
    std::size_t n() const { return tiles_.n_weights(); }
    void transform_chunk(std::size_t first, std::size_t last, Draw<T>& out) const;
    /// Calls loop(begin, end) for the whole tile. If the network exceeds the cache, it is called for
    /// one strip at a time, after prefetching the next strips and the data of the sink.
    template <class Loop>
    void in_strips(const WeightTile& tile, const Draw<T>& draw, std::span<const T> loss_gradient,
                   const GradientSink<T>& sink, const Loop& loop) const;
    /// Σ ln σ_i and Σ σ_i² of one block's weights begin..end-1 (flat).
    struct SpreadSums {
        double logs, squares;
    };
    SpreadSums spread_sums(std::size_t begin, std::size_t end) const;

    WeightTiles tiles_;
};

extern template class MeanField<float>;
extern template class MeanField<double>;

}   // namespace credence
