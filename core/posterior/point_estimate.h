// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/variational_family.h"
#include "posterior/weight_passes.h"

namespace credence {

/// One weight vector; every sample is that vector. L2 as weight decay: adds λw to the gradient. The
/// baseline.
template <class T>
class PointEstimate : public VariationalFamily<T> {
public:
    PointEstimate(const ParameterLayout& layout, std::span<const float> means);

    std::unique_ptr<VariationalFamily<T>> clone() const override { return std::make_unique<PointEstimate>(*this); }
    std::vector<ParameterGroup> groups() const override;
    NoiseIn noise_in() const override { return NoiseIn::nothing; }
    void draw(NoiseKey key, Draw<T>& out) const override;
    void transform(Draw<T>& out) const override;
    void pullback(const Draw<T>& draw, std::span<const T> loss_gradient, const Complexity& complexity,
                  GradientSink<T> sink) const override;
    std::optional<double> kl(const Prior&) const override { return std::nullopt; }
    std::optional<double> sampled_complexity(const Draw<T>&, const Prior&) const override { return std::nullopt; }
    void moments(std::span<float> mean, std::span<float> sd) const override;
    Covariance covariance() const override { return NoCovariance{}; }
    LayerUncertainty describe() const override;

protected:
    const WeightTiles& tiles() const { return tiles_; }

private:
    WeightTiles tiles_;
};

/// One weight vector with random masks, also at prediction ("Bernoulli" in Posch and Pilz 2021).
/// The masks are dropout layers of the network, generated from the sample's key; for this class the
/// weights are a point estimate, and the rate is only displayed.
template <class T>
class BernoulliDropout final : public PointEstimate<T> {
public:
    BernoulliDropout(const ParameterLayout& layout, std::span<const float> means, double rate);

    std::unique_ptr<VariationalFamily<T>> clone() const override { return std::make_unique<BernoulliDropout>(*this); }
    NoiseIn noise_in() const override { return NoiseIn::activations; }
    LayerUncertainty describe() const override;

private:
    double rate_;
};

extern template class PointEstimate<float>;
extern template class PointEstimate<double>;
extern template class BernoulliDropout<float>;
extern template class BernoulliDropout<double>;

/// The state of a chain: one weight vector with the gradient of the loss and of −ln p(w) with
/// weight ν (1/N for a mean loss over N examples).
/// The prior can be of any kind, one per block.
///
///     ∂w: g − ν ∂ln p/∂w
template <class T>
class ChainState final : public PointEstimate<T> {
public:
    using PointEstimate<T>::PointEstimate;

    std::unique_ptr<VariationalFamily<T>> clone() const override { return std::make_unique<ChainState>(*this); }
    void pullback(const Draw<T>& draw, std::span<const T> loss_gradient, const Complexity& complexity,
                  GradientSink<T> sink) const override;
};

extern template class ChainState<float>;
extern template class ChainState<double>;

}   // namespace credence
