// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/scalar_draws.h"
#include "unit/chains/naive_diagnostics.h"
#include "unit/random_values.h"

#include <cmath>

namespace credence {

/// The chains one after another, as the program expects them.
inline OwnedDraws together(const naive::Chains& chains)
{
    return {naive::all(chains), chains.size(), chains.empty() ? 0 : chains[0].size()};
}

/// x_t = φ x_{t−1} + √(1 − φ²) ξ_t from its stationary distribution N(0, 1): ρ(t) = φ^t, τ = (1 + φ)/(1 − φ).
inline naive::Chains autoregressive(std::size_t n_chains, std::size_t n_draws, double phi, std::uint64_t seed)
{
    const auto noise = normals(n_chains * n_draws, seed);
    naive::Chains chains(n_chains, naive::Chain(n_draws));
    for (std::size_t c = 0; c < n_chains; ++c)
        for (std::size_t t = 0; t < n_draws; ++t)
            chains[c][t] = t == 0 ? noise[c * n_draws]
                                  : phi * chains[c][t - 1] + std::sqrt(1 - phi * phi) * noise[c * n_draws + t];
    return chains;
}

/// Chains made of sines, the same on every machine to the last digits: chain c, draw t.
inline naive::Chains sines(std::size_t n_chains, std::size_t n_draws, double drift)
{
    naive::Chains chains(n_chains, naive::Chain(n_draws));
    for (std::size_t c = 0; c < n_chains; ++c)
        for (std::size_t t = 0; t < n_draws; ++t) {
            const auto s = static_cast<double>(c + 1), u = static_cast<double>(t + 1);
            chains[c][t] = std::sin(u * u * 0.7 + s) + 0.5 * std::sin(0.3 * u + 2 * s) + drift * s;
        }
    return chains;
}

}   // namespace credence
