// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/hamiltonian.h"

#include <cassert>
#include <cmath>

namespace credence {
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

void Hamiltonian::take_energy(PhasePoint& point) const
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
    take_energy(point);
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
    take_energy(to);
}

}   // namespace credence
