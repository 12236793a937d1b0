// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace credence {

/// The target of a chain: a density over ℝⁿ, known up to a factor, with its gradient. Contains the
/// workspace of one chain, so that a call does not allocate; each chain has its own.
class LogDensity {
public:
    virtual ~LogDensity() = default;

    virtual std::size_t dimension() const = 0;

    /// Returns ln p(θ) + constant, nats, and computes its gradient. Where the density is 0 it
    /// returns -∞ or NaN; the gradient is then arbitrary.
    /// Runs on the calling thread only.
    /// @param theta     [dimension]
    /// @param gradient  ∂ln p/∂θ [dimension], overwritten
    virtual double evaluate(std::span<const double> theta, std::span<double> gradient) = 0;
};

}   // namespace credence
