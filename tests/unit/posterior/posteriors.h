// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/parallel.h"
#include "unit/families.h"

#include <cmath>
#include <string>

// Small posteriors to test with.
namespace credence::testing {

inline ParameterLayout layout_with(std::initializer_list<std::size_t> sizes)
{
    ParameterLayout layout;
    for (const std::size_t size : sizes) {
        const auto b = layout.blocks.size();
        layout.blocks.push_back({.name    = "dense " + std::to_string(b / 2 + 1) + (b % 2 ? " biases" : " weights"),
                                 .kind    = b % 2 ? BlockKind::biases : BlockKind::weights,
                                 .layer   = static_cast<int>(b / 2),
                                 .begin   = layout.size(),
                                 .size    = size,
                                 .fan_in  = 1,
                                 .fan_out = 1});
    }
    return layout;
}

/// Means of both signs, |m| in [0.1, 1.1].
inline std::vector<float> some_means(std::size_t n, std::uint64_t seed = 7)
{
    std::vector<float> u(n), means(n);
    uniforms({seed, Stream::initial_weights, 0}, 0, std::span<float>(u));
    for (std::size_t i = 0; i < n; ++i)
        means[i] = (u[i] < 0.5f ? -0.1f : 0.1f) + 2 * (u[i] - 0.5f);
    return means;
}

inline Prior gaussian_prior(const ParameterLayout& layout)
{
    return Prior::weights_and_biases(layout, GaussianPrior::from_sigma(0.7, 0.2), GaussianPrior::from_sigma(1.5, -0.1));
}
inline Prior mixture_prior(const ParameterLayout& layout)
{
    return Prior::same(layout, ScaleMixturePrior{0.4, 0.9, 0.2});
}

inline const std::string every_family[] = {"point_estimate", "bernoulli_dropout", "mean_field", "layer_scale",
                                           "tridiagonal"};

/// The whole gradient in one vector.
template <class T>
std::vector<T> gradient_of(const VariationalFamily<T>& posterior, const Draw<T>& draw, std::span<const T> loss_gradient,
                           const Complexity& complexity)
{
    std::vector<T> all(posterior.parameters().size(), std::nan(""));   // what the sink never gets stays NaN
    posterior.pullback(draw, loss_gradient, complexity, [&](std::size_t first, std::span<const T> piece) {
        std::copy(piece.begin(), piece.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
    });
    return all;
}

}   // namespace credence::testing
