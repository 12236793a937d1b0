// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/chain_noise.h"
#include "chains/log_density.h"
#include "chains/metric.h"

#include <limits>

namespace credence {

/// A point of phase space, with the quantities computed there.
struct PhasePoint {
    explicit PhasePoint(std::size_t dimension)
        : theta(dimension), momentum(dimension), velocity(dimension), gradient(dimension)
    {}

    aligned_vector<double> theta, momentum, velocity, gradient;   ///< θ, p, M⁻¹p, ∂ln p/∂θ [dimension]
    double log_density = -std::numeric_limits<double>::infinity();
    double energy      = std::numeric_limits<double>::infinity();   ///< H; ∞ if not finite
};

/// The statistics of one transition of a sampler.
struct Transition {
    double log_density  = 0;   ///< at the current position, nats
    double energy       = 0;   ///< H of the accepted point, nats
    double acceptance   = 0;   ///< min(1, e^{H(start) - H}), averaged over the points of the trajectory
    double step_size    = 0;
    int depth           = 0;       ///< NUTS: number of doublings of the trajectory
    int leapfrog_steps  = 0;       ///< also the number of gradients
    bool divergent      = false;   ///< the energy rose by more than the limit, or was not finite
    bool at_depth_limit = false;   ///< NUTS: would have continued

    bool operator==(const Transition&) const = default;
};

/// H(θ, p) = -ln p(θ) + ½ pᵀ M⁻¹ p, and the leapfrog steps along it.
class Hamiltonian {
public:
    /// @param density  borrowed
    Hamiltonian(LogDensity& density, Metric metric);

    std::size_t dimension() const { return metric_.dimension(); }
    const Metric& metric() const { return metric_; }
    void set_metric(Metric metric) { metric_ = std::move(metric); }
    void serialise(StateBytes& state) { metric_.serialise(state); }   ///< reads or writes the metric

    /// Computes density and gradient at the point.
    void evaluate(PhasePoint& point) const;
    /// Draws a momentum p ~ N(0, M); requires evaluate. @param scale  1 except in tests
    void draw_momentum(PhasePoint& point, ChainNoise& noise, double scale = 1) const;

    /// One leapfrog step; time runs backwards for a negative step size.
    ///     p½ = p + ε/2 ∇ln p(θ);   θ' = θ + ε M⁻¹ p½;   p' = p½ + ε/2 ∇ln p(θ')
    /// @param to  different from `from`
    /// Source: Betancourt 2017, section 5.1; Neal 2011, section 2.3
    void leapfrog(const PhasePoint& from, PhasePoint& to, double step_size) const;

private:
    void take_energy(PhasePoint& point) const;

    LogDensity* density_;
    Metric metric_;
};

}   // namespace credence
