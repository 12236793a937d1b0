// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/state_bytes.h"
#include "random/noise.h"

#include <cstddef>
#include <span>
#include <vector>

namespace credence {

/// The Gaussian that the iterates w_1, w_2, … of SGD at a constant rate suggest: their mean w̄, the variances Σ_diag of each weight by itself, and the last R
/// deviations D̂ = (w_i − w̄_i), w̄_i the mean of the first i of them. Source: Maddox et al. 2019, (1) and Algorithm 1.
class SwagMoments {
public:
    /// @param rank  R; 0: the diagonal alone
    SwagMoments(std::size_t n_weights, std::size_t rank);

    /// @param weights  [n_weights], an iterate
    void add(std::span<const float> weights);
    /// Passes mean, variances and deviations.
    void serialise(StateBytes& state);
    long count() const { return count_; }
    std::span<const double> mean() const { return mean_; }
    /// Σ_diag: the mean of w² less the square of the mean.
    double variance(std::size_t i) const { return count_ > 0 ? squares_[i] / static_cast<double>(count_) : 0; }

    /// A draw, a pure function of the key. Standard deviations multiply the noise, not variances.
    ///
    ///     w = w̄ + s(Σ_diag^½ ξ_1/√2 + D̂ξ_2/√(2(R−1)));   of the diagonal alone, or while there are fewer than two deviations: w = w̄ + s Σ_diag^½ ξ_1
    ///
    /// @param scale  s: 1 in the derivation, 0.5 in the authors' code
    void draw(NoiseKey key, double scale, std::span<float> weights) const;

private:
    std::size_t rank_;
    long count_ = 0;
    aligned_vector<double> mean_, squares_;   // squares_: Σ (w − w̄)² by Welford's update, which cancels nothing
    std::vector<aligned_vector<float>> deviations_;   // at most R, the oldest is replaced
};

}   // namespace credence
