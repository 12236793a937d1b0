// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace credence {

/// Draws of one scalar quantity by several chains of one length, borrowed: [n_chains × n_draws],
/// chain by chain.
struct ScalarDraws {
    std::span<const double> values{};
    std::size_t n_chains = 0, n_draws = 0;

    std::span<const double> chain(std::size_t c) const { return values.subspan(c * n_draws, n_draws); }
    /// @throws Error "Draws of chains: found 7 values, expected 2 chains of 4 draws."
    void check() const;
};

/// The same with memory of its own.
struct OwnedDraws {
    std::vector<double> values{};
    std::size_t n_chains = 0, n_draws = 0;

    ScalarDraws view() const { return {values, n_chains, n_draws}; }
};

/// Chains of different length, as they are while they run: of each the first draws, as many as the
/// shortest has.
OwnedDraws cut_to_shortest(std::span<const std::vector<double>> chains);

/// A power of two by which finite values are brought to at most 4 in magnitude: their squares and
/// fourth powers overflow no longer, and what is a ratio of moments keeps its bits. 1 if all are
/// zero.
double unit_factor(std::span<const double> values);

/// Are all values the same?
bool all_equal(std::span<const double> values);

}   // namespace credence
