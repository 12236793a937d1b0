// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/metric.h"
#include "foundation/state_bytes.h"
#include "random/noise.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

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
    enum class Purpose { transitions, step_size_search };

    ChainNoise(std::uint64_t seed, std::uint32_t chain, Purpose purpose = Purpose::transitions);

    /// Moves to the first numbers of a transition. @param transition  0-based, below 2^34
    void begin(long transition);
    /// Reads or writes the position of the next random numbers, for numbers requested in sequence
    /// without `begin`.
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
    bool divergent      = false;   ///< the energy error exceeded the limit or was not finite
    bool at_depth_limit = false;   ///< NUTS: the trajectory would have continued

    bool operator==(const Transition&) const = default;
};

/// H(θ, p) = -ln p(θ) + ½ pᵀ M⁻¹ p and its leapfrog integrator.
class Hamiltonian {
public:
    /// @param density  not owned
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
    void update_energy(PhasePoint& point) const;

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

/// Deliberate faults, to show that the tests of the samplers detect them. None by default.
struct SamplerFaults {
    double momentum_scale = 1;   ///< multiplies the momenta
    bool extra_checks =
        true;   ///< NUTS: detects U-turns between neighbouring sub-trees. Switching it off is inefficient, not wrong
    bool last_point = false;   ///< NUTS: a sub-tree proposes its last point, ignoring the weights
};

/// A pool of reference-counted points in phase space, shared by nodes of a tree. The most recently
/// released point is reused first, since it is in the cache.
class PointPool {
public:
    class Ref {
    public:
        Ref() = default;
        Ref(const Ref& other) : pool_(other.pool_), index_(other.index_)
        {
            if (pool_)
                ++pool_->uses_[index_];
        }
        Ref(Ref&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), index_(other.index_) {}
        Ref& operator=(Ref other) noexcept
        {
            std::swap(pool_, other.pool_);
            std::swap(index_, other.index_);
            return *this;
        }
        ~Ref()
        {
            if (pool_ && --pool_->uses_[index_] == 0)
                pool_->free_.push_back(index_);
        }
        PhasePoint& operator*() const { return pool_->points_[index_]; }
        PhasePoint* operator->() const { return &pool_->points_[index_]; }
        bool operator==(const Ref&) const = default;

    private:
        friend class PointPool;
        Ref(PointPool* pool, std::size_t index) : pool_(pool), index_(index) { pool_->uses_[index_] = 1; }

        PointPool* pool_   = nullptr;
        std::size_t index_ = 0;
    };

    PointPool(std::size_t count, std::size_t dimension) : uses_(count, 0)
    {
        points_.reserve(count);
        free_.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            points_.emplace_back(dimension);
            free_.push_back(count - 1 - i);
        }
    }
    PointPool(const PointPool&)            = delete;
    PointPool& operator=(const PointPool&) = delete;

    Ref take()
    {
        assert(!free_.empty());
        const std::size_t index = free_.back();
        free_.pop_back();
        return {this, index};
    }

private:
    std::vector<PhasePoint> points_;
    std::vector<int> uses_;
    std::vector<std::size_t> free_;
};

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

struct NutsOptions {
    int depth_limit                           = 10;   ///< a trajectory has at most 2^limit - 1 leapfrog steps; 1 to 20
    double divergence_energy                  = 1000;   ///< nats
    bool operator==(const NutsOptions&) const = default;
};

/// The No-U-Turn Sampler: doubles trajectories forwards or backwards until they turn back, and draws
/// one of their points with weight e^{-H}. The draw is multinomial within sub-trees and biased
/// towards the newer half when the whole trajectory doubles. A trajectory with the sum of momenta ρ
/// and the velocities v = M⁻¹p at its ends continues while
///     ρ·v_first > 0  and  ρ·v_last > 0
/// The same must hold for each of its halves together with the nearest point of the other half.
/// Source: Hoffman and Gelman 2014; Betancourt 2017, appendix A.4; the checks between halves as in
/// Stan since 2.21
class Nuts {
public:
    explicit Nuts(std::size_t dimension, const NutsOptions& options = {}, const SamplerFaults& faults = {});

    /// Does not allocate.
    /// @param current  evaluated; the chain's position, before and after
    /// @param last     last finite point of a divergent trajectory, if there was one
    Transition transition(const Hamiltonian& hamiltonian, PhasePoint& current, double step_size, ChainNoise& noise,
                          std::span<double> last = {});

private:
    /// Part of a trajectory, in the order of its growth.
    struct Tree {
        PointPool::Ref first, last, proposal;
        double log_weight = 0;   ///< ln Σ e^{H(start) - H}
        bool continues    = true;
    };
    /// State shared by all parts of one trajectory.
    struct Trajectory {
        const Hamiltonian& hamiltonian;
        ChainNoise& noise;
        std::span<double> last_finite;
        double start_energy;
        double step;             ///< signed
        PointPool::Ref newest;   ///< the next step continues from here
        Transition result;
        double acceptance_sum = 0;
    };

    /// Adds 2^depth points. @param rho  overwritten with the sum of their momenta
    Tree grow(Trajectory& trajectory, int depth, std::span<double> rho);
    Tree step(Trajectory& trajectory, std::span<double> rho);
    /// True if two neighbouring parts together have not turned back.
    bool continue_together(const Tree& near, std::span<const double> rho_near, const Tree& far,
                           std::span<const double> rho_far) const;

    NutsOptions options_;
    SamplerFaults faults_;
    std::size_t dimension_;
    std::unique_ptr<PointPool> points_;
    std::vector<aligned_vector<double>>
        rho_;   // of the second half of a tree, by its depth; the last entry belongs to the whole trajectory
};

}   // namespace credence
