// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace credence {

/// Draws of one scalar quantity from several chains of equal length, borrowed: [n_chains ×
/// n_draws], chain by chain.
struct ScalarDraws {
    std::span<const double> values{};
    std::size_t n_chains = 0, n_draws = 0;

    std::span<const double> chain(std::size_t c) const { return values.subspan(c * n_draws, n_draws); }
    /// @throws Error "Draws of chains: found 7 values, expected 2 chains of 4 draws."
    void check() const;
};

/// The same with its own memory.
struct OwnedDraws {
    std::vector<double> values{};
    std::size_t n_chains = 0, n_draws = 0;

    ScalarDraws view() const { return {values, n_chains, n_draws}; }
};

/// Truncates chains of different length, as they are during a run, to the length of the shortest.
OwnedDraws cut_to_shortest(std::span<const std::vector<double>> chains);

/// A power of two that scales finite values to at most 4 in magnitude, so that their squares and
/// fourth powers do not overflow. Ratios of moments keep their bits. 1 if all values are zero.
double unit_factor(std::span<const double> values);

/// True if all values are equal.
bool all_equal(std::span<const double> values);

}   // namespace credence
