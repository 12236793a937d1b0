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

/// The No-U-Turn Sampler: trajectories are doubled forwards or backwards until they turn back, and
/// a point of them is drawn by its weight e^{-H}: multinomially within sub-trees, biased towards
/// the newer one where the whole trajectory was doubled. A trajectory with the sum of momenta ρ and
/// the velocities v = M⁻¹p at its ends goes on while
///     ρ·v_first > 0  and  ρ·v_last > 0,
/// which also has to hold for its two halves, each with the other's nearest point.
/// Source: Hoffman and Gelman 2014; Betancourt 2017, appendix A.4; the checks between halves as in
/// Stan since 2.21
class Nuts {
public:
    explicit Nuts(std::size_t dimension, const NutsOptions& options = {}, const SamplerFaults& faults = {});

    /// Allocates nothing.
    /// @param current  evaluated; where the chain stands, before and after
    /// @param last     where a divergent trajectory was last finite, if there was one
    Transition transition(const Hamiltonian& hamiltonian, PhasePoint& current, double step_size, ChainNoise& noise,
                          std::span<double> last = {});

private:
    /// Part of a trajectory, in the order in which it grew.
    struct Tree {
        PointPool::Ref first, last, proposal;
        double log_weight = 0;   ///< ln Σ e^{H(start) - H}
        bool goes_on      = true;
    };
    /// What all parts of one trajectory share.
    struct Trajectory {
        const Hamiltonian& hamiltonian;
        ChainNoise& noise;
        std::span<double> last_finite;
        double start_energy;
        double step;             ///< signed
        PointPool::Ref newest;   ///< from here the next step goes on
        Transition result;
        double acceptance_sum = 0;
    };

    /// Grows 2^depth points. @param rho  overwritten by the sum of their momenta
    Tree grow(Trajectory& trajectory, int depth, std::span<double> rho);
    Tree step(Trajectory& trajectory, std::span<double> rho);
    /// Tells whether two neighbouring parts together have not turned back.
    bool go_on_together(const Tree& near, std::span<const double> rho_near, const Tree& far,
                        std::span<const double> rho_far) const;

    NutsOptions options_;
    SamplerFaults faults_;
    std::size_t dimension_;
    std::unique_ptr<PointPool> points_;
    std::vector<aligned_vector<double>>
        rho_;   // of the second half of a tree, by its depth; at the end that of the whole trajectory
};

}   // namespace credence
