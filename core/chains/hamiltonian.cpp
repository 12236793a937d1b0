// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/hamiltonian.h"

#include "foundation/error.h"

#include <cassert>
#include <cmath>

namespace credence {
namespace {

constexpr std::uint64_t numbers_of_a_transition = 1u << 23;
constexpr std::uint32_t purposes                = 4;   // one value is reserved

}   // namespace

ChainNoise::ChainNoise(std::uint64_t seed, std::uint32_t chain, Purpose purpose)
    : key_{seed, Stream::samplers, chain * purposes + static_cast<std::uint32_t>(purpose)}
{}

void ChainNoise::begin(long transition)
{
    next_normal_ = next_block_ = static_cast<std::uint64_t>(transition) * numbers_of_a_transition;
    used_                      = at_once;
}

void ChainNoise::serialise(StateBytes& state)
{
    state.value(next_normal_);
    state.value(next_block_);
    state.within(used_, 0, at_once);
    if (used_ < at_once)
        state.values(std::span<double>(block_));
}

void ChainNoise::normals(std::span<double> out)
{
    standard_normals(key_, next_normal_, out);
    next_normal_ += (out.size() + 63) / 64 * 64;
}

double ChainNoise::uniform()
{
    if (used_ == at_once) {
        uniforms(key_, next_block_, std::span<double>(block_));
        next_block_ += at_once;
        used_ = 0;
    }
    return block_[used_++];
}

namespace {

/// to = from + scale * along
void move(const aligned_vector<double>& from, double scale, const aligned_vector<double>& along,
          aligned_vector<double>& to)
{
    const double *a = from.data(), *b = along.data();
    double* out = to.data();
#pragma omp simd
    for (std::size_t i = 0; i < to.size(); ++i)
        out[i] = a[i] + scale * b[i];
}

/// The first two thirds of a leapfrog step in one pass.
void kick_and_drift(const PhasePoint& from, PhasePoint& to, std::span<const double> variances, double step_size)
{
    const double *p = from.momentum.data(), *g = from.gradient.data(), *theta = from.theta.data(),
                 *v = variances.data();
    double *p_new = to.momentum.data(), *theta_new = to.theta.data();
    const double half = step_size / 2;
#pragma omp simd
    for (std::size_t i = 0; i < variances.size(); ++i) {
        const double middle = p[i] + half * g[i];
        p_new[i]            = middle;
        theta_new[i]        = theta[i] + step_size * (v[i] * middle);
    }
}

}   // namespace

Hamiltonian::Hamiltonian(LogDensity& density, Metric metric) : density_(&density), metric_(std::move(metric))
{
    assert(density.dimension() == metric_.dimension());
}

void Hamiltonian::evaluate(PhasePoint& point) const
{
    point.log_density = density_->evaluate(point.theta, point.gradient);
}

void Hamiltonian::update_energy(PhasePoint& point) const
{
    const double energy = metric_.velocity(point.momentum, point.velocity) - point.log_density;
    point.energy        = std::isfinite(energy) ? energy : std::numeric_limits<double>::infinity();
}

void Hamiltonian::draw_momentum(PhasePoint& point, ChainNoise& noise, double scale) const
{
    noise.normals(point.momentum);
    metric_.make_momentum(point.momentum);
    for (double& p : point.momentum)
        p *= scale;
    update_energy(point);
}

void Hamiltonian::leapfrog(const PhasePoint& from, PhasePoint& to, double step_size) const
{
    if (metric_.kind() == MetricKind::diagonal)
        kick_and_drift(from, to, metric_.variances(), step_size);
    else {
        move(from.momentum, step_size / 2, from.gradient, to.momentum);
        metric_.velocity(to.momentum, to.velocity);
        move(from.theta, step_size, to.velocity, to.theta);
    }
    evaluate(to);
    move(to.momentum, step_size / 2, to.gradient, to.momentum);
    update_energy(to);
}

double find_step_size(const Hamiltonian& hamiltonian, PhasePoint& start, PhasePoint& scratch, double step_size,
                      double target, ChainNoise& noise)
{
    constexpr double smallest = 1e-12, largest = 1e7;
    const double threshold = std::log(target);
    const auto accepted    = [&] {
        hamiltonian.draw_momentum(start, noise);
        hamiltonian.leapfrog(start, scratch, step_size);
        return start.energy - scratch.energy > threshold;
    };
    const bool grows = accepted();
    while (step_size < largest) {
        step_size *= grows ? 2 : 0.5;
        if (step_size < smallest)
            throw Error(
                "Warm-up: no step size above 1e-12 conserves the energy of one leapfrog step; the log density or "
                "its gradient is "
                "not finite around the start.");
        if (accepted() != grows)
            break;
    }
    return step_size;
}

}   // namespace credence
