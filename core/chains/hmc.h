// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/hamiltonian.h"
#include "chains/testing_faults.h"

namespace credence {

struct HmcOptions {
    int steps               = 32;   ///< leapfrog steps per trajectory, >= 1
    double step_size_jitter = 0;   ///< j in [0, 1): each trajectory's ε is uniform on ε(1 - j) … ε(1 + j), to avoid
                                   ///< trajectories that return to their start
    double divergence_energy                 = 1000;   ///< nats
    bool operator==(const HmcOptions&) const = default;
};

/// Hamiltonian Monte Carlo with trajectories of fixed length: draws a momentum, simulates the
/// trajectory, and accepts its end with probability min(1, e^{H(start) - H(end)}).
/// Source: Neal 2011, section 3
class Hmc {
public:
    explicit Hmc(std::size_t dimension, const HmcOptions& options = {}, const SamplerFaults& faults = {});

    /// @param current  evaluated; the chain's position, before and after
    /// @param last     last finite point of a divergent trajectory, if there was one
    Transition transition(const Hamiltonian& hamiltonian, PhasePoint& current, double step_size, ChainNoise& noise,
                          std::span<double> last = {});

private:
    HmcOptions options_;
    SamplerFaults faults_;
    PhasePoint here_, next_;
};

}   // namespace credence
