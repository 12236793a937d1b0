// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/metric.h"
#include "foundation/state_bytes.h"
#include "random/noise.h"

#include <array>
#include <cstddef>
#include <limits>
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

/// The random numbers of one chain. Those of a transition are a pure function of (seed, chain,
/// transition): no transition's choices affect the numbers of the next.
class ChainNoise {
public:
    /// The use of the numbers. Two purposes never share numbers.
    enum class Purpose { transitions, step_size_search, start };

    ChainNoise(std::uint64_t seed, std::uint32_t chain, Purpose purpose = Purpose::transitions);

    /// Moves to the first numbers of a transition. @param transition  0-based, below 2^34
    void begin(long transition);
    /// Reads or writes the position of the next numbers, for those requested in sequence without
    /// `begin`.
    void serialise(StateBytes& state);
    /// The next standard normals: at most 2^23 per transition.
    void normals(std::span<double> out);
    /// The next number uniform on (0, 1). At most 2^23 in one transition.
    double uniform();

private:
    static constexpr std::size_t at_once = 64;

    NoiseKey key_;
    std::uint64_t next_normal_ = 0, next_block_ = 0;
    std::array<double, at_once> block_;
    std::size_t used_ = at_once;
};

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

/// Doubles or halves a step size until the acceptance of one leapfrog step crosses the target, with
/// a new momentum each time.
/// @param start    evaluated; unchanged except for its momentum
/// @param scratch  another point
/// @throws Error   "… no step size from 1e-…": the density is not differentiable or not finite
/// around the start
/// Source: Hoffman and Gelman 2014, algorithm 4, with the target instead of 1/2 as in Stan
double find_step_size(const Hamiltonian& hamiltonian, PhasePoint& start, PhasePoint& scratch, double step_size,
                      double target, ChainNoise& noise);

}   // namespace credence
