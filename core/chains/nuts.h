// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/point_pool.h"
#include "chains/testing_faults.h"

#include <memory>

namespace credence {

struct NutsOptions {
    int depth_limit                           = 10;   ///< a trajectory has at most 2^limit - 1 leapfrog steps; 1 to 20
    double divergence_energy                  = 1000;   ///< nats
    bool operator==(const NutsOptions&) const = default;
};

/// The No-U-Turn Sampler: doubles trajectories forwards or backwards until they turn back, and
/// draws one of their points with weight e^{-H}: multinomially within sub-trees, biased towards the
/// newer half when the whole trajectory doubles. A trajectory with the sum of momenta ρ and the
/// velocities v = M⁻¹p at its ends continues while
///     ρ·v_first > 0  and  ρ·v_last > 0,
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
        bool goes_on      = true;
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
    bool go_on_together(const Tree& near, std::span<const double> rho_near, const Tree& far,
                        std::span<const double> rho_far) const;

    NutsOptions options_;
    SamplerFaults faults_;
    std::size_t dimension_;
    std::unique_ptr<PointPool> points_;
    std::vector<aligned_vector<double>>
        rho_;   // of the second half of a tree, by its depth; the last entry belongs to the whole trajectory
};

}   // namespace credence
