// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/point_estimate.h"

namespace credence {

/// One weight vector, the state of a chain: its gradient is that of the loss and of −ln p(w) with the weight ν, beside a mean loss over one of N
/// examples 1/N. The prior may be of any kind, one for each block.
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
