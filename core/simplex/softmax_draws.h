// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace credence {

/// The computation that the bridge replaces: the mean of softmax(z) over samples z ~ N(μ, Σ), for
/// many Gaussians with full covariances. Single precision, vectorised over the samples, on all
/// threads; the samples of row i are a pure function of (seed, i), and so is the result.
/// @param mu          [N × K]
/// @param covariance  [N × K × K], symmetric, positive semidefinite
/// @param mean        [N × K], out
/// @throws Error naming the row whose covariance is not positive semidefinite, or if sizes do not
/// match
void softmax_mean_by_draws(int n_classes, std::span<const float> mu, std::span<const float> covariance, int n_draws,
                           std::uint64_t seed, std::span<float> mean);

}   // namespace credence
