// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/nuts_and_hmc.h"
#include "chains/warmup.h"

#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace credence {

struct ChainOptions {
    std::variant<NutsOptions, HmcOptions> sampler{};
    WarmupOptions warmup{};
    std::uint64_t seed           = 1;
    std::uint32_t number         = 0;     ///< of this chain among several with the same seed, below 2^30
    std::size_t kept_divergences = 100;   ///< maximum number of stored divergence positions
    SamplerFaults faults{};
};

/// A divergent transition.
struct Divergence {
    long transition = 0;         ///< 0-based, warm-up included
    std::vector<double> theta;   ///< last finite point of the trajectory [dimension]
};

/// One chain of HMC or NUTS, driven one transition at a time by the caller: warm-up first, then
/// draws. A pure function of density, start and options: the same bits on any thread, regardless of
/// other threads. A transition allocates only at the end of a warm-up window and when it stores a
/// divergence.
class Chain {
public:
    /// @param density  owned by this chain
    /// @param start    [dimension]
    /// @throws Error   "Chain 2: the log density at the start is -inf, expected a finite number."
    Chain(std::unique_ptr<LogDensity> density, std::span<const double> start, const ChainOptions& options = {});

    /// Makes one transition.
    const Transition& step();

    /// Reads or writes the complete state between two transitions. A chain with the same density
    /// and options, from any start, continues with the same bits.
    /// @throws Error if the data belong to another chain
    void serialise(StateBytes& state);

    bool warming_up() const { return !warmup_.done(); }                ///< the next transition belongs to the warm-up
    long transitions() const { return transitions_; }                  ///< done so far, warm-up included
    long gradients() const { return gradients_; }                      ///< of all transitions so far
    std::span<const double> theta() const { return current_.theta; }   ///< the current position
    const Transition& last() const { return last_; }
    const WarmupReport& warmup() const { return warmup_.report(); }
    const Metric& metric() const { return hamiltonian_.metric(); }
    double step_size() const { return warmup_.step_size(); }
    /// Divergences of the draws; those of the warm-up are counted in its report.
    std::span<const Divergence> divergences() const { return divergences_; }

private:
    std::unique_ptr<LogDensity> density_;
    ChainOptions options_;
    Hamiltonian hamiltonian_;
    std::variant<Nuts, Hmc> sampler_;
    Warmup warmup_;
    PhasePoint current_, scratch_;
    ChainNoise noise_, search_noise_;
    Transition last_;
    std::vector<double> last_finite_;
    std::vector<Divergence> divergences_;
    long transitions_ = 0, gradients_ = 0;
};

/// Starting points around zero: each weight uniform on (-width, width), a pure function of (seed,
/// chain).
std::vector<double> chain_start(std::size_t dimension, std::uint64_t seed, std::uint32_t chain, double width = 2);

}   // namespace credence
