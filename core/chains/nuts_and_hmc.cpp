// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/hamiltonian.h"

#include "foundation/elementary.h"
#include "foundation/error.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace credence {

Hmc::Hmc(std::size_t dimension, const HmcOptions& options, const SamplerFaults& faults)
    : options_(options), faults_(faults), here_(dimension), next_(dimension)
{
    if (options.steps < 1)
        throw Error("HMC: found " + std::to_string(options.steps) + " leapfrog steps, expected 1 or more.");
    if (!(options.step_size_jitter >= 0 && options.step_size_jitter < 1))
        throw Error("HMC: the jitter of the step size is " + std::to_string(options.step_size_jitter)
                    + ", expected 0 to less than 1.");
}

Transition Hmc::transition(const Hamiltonian& hamiltonian, PhasePoint& current, double step_size, ChainNoise& noise,
                           std::span<double> last)
{
    hamiltonian.draw_momentum(current, noise, faults_.momentum_scale);
    const double start = current.energy;
    const double step  = step_size * (1 + options_.step_size_jitter * (2 * noise.uniform() - 1));
    Transition result{.energy = start, .step_size = step};

    for (int k = 0; k < options_.steps && !result.divergent; ++k) {
        hamiltonian.leapfrog(k == 0 ? current : here_, next_, step);
        ++result.leapfrog_steps;
        result.divergent = !(next_.energy - start <= options_.divergence_energy);
        if (result.divergent && !last.empty())
            std::copy_n((k == 0 ? current : here_).theta.data(), last.size(), last.data());
        std::swap(here_, next_);
    }
    result.acceptance = result.divergent ? 0 : std::fmin(1.0, std::exp(start - here_.energy));
    if (noise.uniform() < result.acceptance)
        std::swap(current, here_);
    result.energy      = current.energy;
    result.log_density = current.log_density;
    return result;
}

namespace {

constexpr int highest_depth_limit = 20;

void add(std::span<double> sum, std::span<const double> more)
{
    double* const a       = sum.data();
    const double* const b = more.data();
#pragma omp simd
    for (std::size_t i = 0; i < sum.size(); ++i)
        a[i] += b[i];
}

}   // namespace

Nuts::Nuts(std::size_t dimension, const NutsOptions& options, const SamplerFaults& faults)
    : options_(options), faults_(faults), dimension_(dimension)
{
    if (options.depth_limit < 1 || options.depth_limit > highest_depth_limit)
        throw Error("NUTS: the depth limit is " + std::to_string(options.depth_limit) + ", expected 1 to "
                    + std::to_string(highest_depth_limit) + ".");
    const auto depths = static_cast<std::size_t>(options.depth_limit);
    // Each depth stores a finished first half (first, last, proposal) while its second half grows.
    // The trajectory uses three points, its growing end and the next point two more.
    points_ = std::make_unique<PointPool>(3 * depths + 8, dimension);
    rho_.assign(depths + 2, aligned_vector<double>(dimension));
}

bool Nuts::continue_together(const Tree& near, std::span<const double> rho_near, const Tree& far,
                             std::span<const double> rho_far) const
{
    const double *a = rho_near.data(), *b = rho_far.data();
    const double *v_first = near.first->velocity.data(), *v_last = far.last->velocity.data();
    double whole_first = 0, whole_last = 0;
    const bool two_points = near.first == near.last && far.first == far.last;   // the checks below are then equivalent
    if (two_points || !faults_.extra_checks) {
#pragma omp simd reduction(+ : whole_first, whole_last)
        for (std::size_t i = 0; i < dimension_; ++i) {
            const double rho = a[i] + b[i];
            whole_first += rho * v_first[i];
            whole_last += rho * v_last[i];
        }
        return whole_first > 0 && whole_last > 0;
    }
    // The points on both sides of the boundary: the near half with the first point of the far half,
    // and the far half with the last point of the near half.
    const double *p_before = near.last->momentum.data(), *v_before = near.last->velocity.data();
    const double *p_after = far.first->momentum.data(), *v_after = far.first->velocity.data();
    double near_first = 0, near_after = 0, far_before = 0, far_last = 0;
#pragma omp simd reduction(+ : whole_first, whole_last, near_first, near_after, far_before, far_last)
    for (std::size_t i = 0; i < dimension_; ++i) {
        const double rho = a[i] + b[i], rho_n = a[i] + p_after[i], rho_f = b[i] + p_before[i];
        whole_first += rho * v_first[i];
        whole_last += rho * v_last[i];
        near_first += rho_n * v_first[i];
        near_after += rho_n * v_after[i];
        far_before += rho_f * v_before[i];
        far_last += rho_f * v_last[i];
    }
    return whole_first > 0 && whole_last > 0 && near_first > 0 && near_after > 0 && far_before > 0 && far_last > 0;
}

Nuts::Tree Nuts::step(Trajectory& trajectory, std::span<double> rho)
{
    const PointPool::Ref next = points_->take();
    trajectory.hamiltonian.leapfrog(*trajectory.newest, *next, trajectory.step);
    ++trajectory.result.leapfrog_steps;
    const double log_weight = trajectory.start_energy - next->energy;
    trajectory.acceptance_sum += std::fmin(1.0, std::exp(log_weight));
    const bool divergent = !(-log_weight <= options_.divergence_energy);
    if (divergent) {
        trajectory.result.divergent = true;
        std::copy_n(trajectory.newest->theta.data(), trajectory.last_finite.size(), trajectory.last_finite.data());
    }
    trajectory.newest = next;
    std::copy(next->momentum.begin(), next->momentum.end(), rho.begin());
    return {next, next, next, log_weight, !divergent};
}

Nuts::Tree Nuts::grow(Trajectory& trajectory, int depth, std::span<double> rho)
{
    if (depth == 0)
        return step(trajectory, rho);
    Tree near = grow(trajectory, depth - 1, rho);
    if (!near.continues)
        return near;
    const std::span<double> rho_far = rho_[static_cast<std::size_t>(depth) - 1];
    Tree far                        = grow(trajectory, depth - 1, rho_far);
    near.continues                  = far.continues && continue_together(near, rho, far, rho_far);
    if (!near.continues)
        return near;
    const double log_weight = log_add_exp(near.log_weight, far.log_weight);
    if (faults_.last_point || trajectory.noise.uniform() < std::exp(far.log_weight - log_weight))
        near.proposal = std::move(far.proposal);
    near.last       = std::move(far.last);
    near.log_weight = log_weight;
    add(rho, rho_far);
    return near;
}

Transition Nuts::transition(const Hamiltonian& hamiltonian, PhasePoint& current, double step_size, ChainNoise& noise,
                            std::span<double> last)
{
    hamiltonian.draw_momentum(current, noise, faults_.momentum_scale);
    Trajectory trajectory{hamiltonian, noise, last, current.energy, step_size, {}, {}};
    Transition& result = trajectory.result;
    result.step_size   = step_size;

    Tree tree;
    tree.first  = points_->take();
    *tree.first = current;
    tree.last = tree.proposal        = tree.first;
    const std::span<double> rho      = rho_[rho_.size() - 1];
    const std::span<double> rho_more = rho_[rho_.size() - 2];
    std::copy(current.momentum.begin(), current.momentum.end(), rho.begin());

    for (bool continues = true; continues && result.depth < options_.depth_limit;) {
        // The growing side becomes the last one: the two ends are interchangeable.
        const bool forwards = noise.uniform() < 0.5;
        if (forwards != (trajectory.step > 0)) {
            std::swap(tree.first, tree.last);
            trajectory.step = -trajectory.step;
        }
        trajectory.newest = tree.last;
        Tree more         = grow(trajectory, result.depth, rho_more);
        if (!more.continues)
            break;
        ++result.depth;
        if (faults_.last_point || noise.uniform() < std::exp(more.log_weight - tree.log_weight))
            tree.proposal = std::move(more.proposal);
        continues             = continue_together(tree, rho, more, rho_more);
        result.at_depth_limit = continues && result.depth == options_.depth_limit;
        tree.last             = std::move(more.last);
        tree.log_weight       = log_add_exp(tree.log_weight, more.log_weight);
        add(rho, rho_more);
    }
    std::swap(current, *tree.proposal);
    result.acceptance  = trajectory.acceptance_sum / result.leapfrog_steps;
    result.energy      = current.energy;
    result.log_density = current.log_density;
    return result;
}

}   // namespace credence
