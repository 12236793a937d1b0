// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/variational_family.h"

namespace credence::reference {

/// The layout of a network that has one block of weights and nothing else.
inline ParameterLayout one_block(std::size_t n)
{
    ParameterLayout layout;
    layout.blocks.push_back(
        {.name = "weights", .kind = BlockKind::weights, .layer = 0, .begin = 0, .size = n, .fan_in = 1, .fan_out = 1});
    return layout;
}

/// N(mu, zeta²) with a mean for each weight.
inline Prior listed_prior(std::vector<double> mu, double zeta)
{
    Prior prior;
    prior.blocks = {GaussianPrior{0, zeta}};
    prior.means  = std::move(mu);
    return prior;
}

/// The gradient with respect to all free parameters.
template <class T>
std::vector<double> whole_gradient(const VariationalFamily<T>& posterior, const Draw<T>& draw,
                                   const std::vector<T>& loss_gradient, const Complexity& complexity)
{
    std::vector<double> all(posterior.parameters().size());
    posterior.pullback(draw, loss_gradient, complexity, [&](std::size_t first, std::span<const T> piece) {
        std::copy(piece.begin(), piece.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
    });
    return all;
}

inline std::vector<double> part(const std::vector<double>& all, std::size_t first, std::size_t n)
{
    return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + n)};
}

template <class T>
const char* precision_name()
{
    return sizeof(T) == sizeof(double) ? " (double)" : " (float)";
}

}   // namespace credence::reference
