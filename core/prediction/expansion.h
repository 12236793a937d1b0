// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/posterior.h"

namespace credence {

/// Linearisation of a network: f(x; θ) ≈ f(x; θ̄) + J(x) (θ − θ̄), J = ∂f/∂θ at the mean weights θ̄
/// of a posterior.
template <class T>
struct Expansion {
    std::span<const T> means;   ///< θ̄, in the posterior
    int lowest_layer = 0;       ///< the first layer with uncertain weights, 0-based among the layers with weights

    /// θ becomes θ − θ̄.
    void subtract_means(std::span<T> weights) const;
};
template <class T>
Expansion<T> expansion_around_means(const BasicPosterior<T>& posterior);

extern template struct Expansion<float>;
extern template struct Expansion<double>;
extern template Expansion<float> expansion_around_means(const Posterior&);
extern template Expansion<double> expansion_around_means(const BasicPosterior<double>&);

}   // namespace credence
