// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/scalar_draws.h"

#include <memory>
#include <string>
#include <vector>

namespace credence {

/// The autocovariance of chains, averaged over them, each about its own mean:
///
///     γ(t) = (1/M) Σ_m (1/n) Σ_{i=1}^{n−t} (x_mi − x̄_m)(x_m,i+t − x̄_m),   t = 0 … n − 1
///
/// Divided by n, not by n − t (Geyer 1992). The first lags, which suffice for chains that mix well,
/// are computed as direct sums. The first request for a later lag computes all others with one
/// Fourier transform per two chains, O(n log n). Memory is reused between calls: one object per
/// thread.
class MeanAutocovariance {
public:
    static constexpr std::size_t direct_lags = 32;

    MeanAutocovariance();
    ~MeanAutocovariance();
    MeanAutocovariance(MeanAutocovariance&&) noexcept;
    MeanAutocovariance& operator=(MeanAutocovariance&&) noexcept;

    /// Starts with these chains and copies their values: at least one chain of at least one draw,
    /// all finite.
    void begin(const ScalarDraws& chains);
    /// γ(lag), lag < n_draws.
    double operator()(std::size_t lag);
    std::span<const double> chain_means() const { return means_; }

private:
    struct Transform;

    void transform();

    std::size_t n_chains_ = 0, n_draws_ = 0;
    std::vector<double> centred_{}, means_{}, known_{};   ///< known_: γ(0), γ(1), … computed so far
    std::unique_ptr<Transform> transform_;
};

/// ρ(t) = γ(t)/γ(0) of one chain.
struct Autocorrelation {
    std::vector<double> rho{};   ///< lags 0 … max_lag, ρ(0) = 1; empty if undefined
    std::string why_not{};
};

/// For each chain separately, up to `max_lag` or the last lag of the chain. Chains are not split.
std::vector<Autocorrelation> autocorrelations(const ScalarDraws& draws, std::size_t max_lag);

}   // namespace credence
