// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace credence {

/// What a chain moves through: a density over ℝⁿ, known up to a factor, with its gradient. Holds the working memory of one chain, so that a call allocates
/// nothing; each chain has one of its own.
class LogDensity {
public:
    virtual ~LogDensity() = default;

    virtual std::size_t dimension() const = 0;

    /// Returns ln p(θ) + constant, nats, and computes its gradient. Where there is no density it returns -∞ or NaN; what the gradient is there does not matter.
    /// Runs on the calling thread and starts no other.
    /// @param theta     [dimension]
    /// @param gradient  ∂ln p/∂θ [dimension], overwritten
    virtual double evaluate(std::span<const double> theta, std::span<double> gradient) = 0;
};

}   // namespace credence
