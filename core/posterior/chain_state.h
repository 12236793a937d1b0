// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/point_estimate.h"

namespace credence {

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
