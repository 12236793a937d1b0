// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/double_well.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace credence::double_well {
namespace {

/// ∫θ^(2k) exp(−U)dθ by the trapezoidal rule, which converges faster than any power of the step
/// size for integrands that vanish so fast at both ends.
double even_moment(int k)
{
    constexpr double end = 8, step = 1.0 / 256;   // exp(−U(8)) = e^-691
    double sum = 0;
    for (double theta = -end; theta <= end; theta += step)
        sum += std::pow(theta * theta, k) * std::exp(-potential(theta));
    return sum * step;
}

/// min_s F(μ, s): F is convex in s.
double least_free_energy(double mu)
{
    const double half = 4 - 2.4 * mu * mu;
    return free_energy(mu, std::sqrt((half + std::sqrt(half * half + 9.6)) / 4.8)).value;
}

}   // namespace

double potential(double theta)
{
    const double square = theta * theta;
    return square * (-2 + 0.2 * square);
}

double slope(double theta) { return theta * (-4 + 0.8 * theta * theta); }

Functional expected_potential(double mu, double sd)
{
    const double m2 = mu * mu, s2 = sd * sd;
    return {-2 * (m2 + s2) + 0.2 * (m2 * m2 + 6 * m2 * s2 + 3 * s2 * s2), mu * (-4 + 0.8 * m2 + 2.4 * s2),
            sd * (-4 + 2.4 * (m2 + s2))};
}

Functional entropy(double sd)
{
    return {std::log(sd) + 0.5 * std::log(2 * std::numbers::pi * std::numbers::e), 0, 1 / sd};
}

Functional free_energy(double mu, double sd)
{
    const auto energy = expected_potential(mu, sd), spread = entropy(sd);
    return {energy.value - spread.value, energy.by_mu, energy.by_sd - spread.by_sd};
}

double normaliser() { return even_moment(0); }
double variance() { return even_moment(1) / even_moment(0); }

double density(double theta)
{
    static const double Z = normaliser();
    return std::exp(-potential(theta)) / Z;
}

double barrier() { return potential(0) - potential(std::sqrt(5.0)); }

double functional_barrier()
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    constexpr int n = 2000;
    for (int i = 0; i <= n; ++i) {   // from the centre to a well; the other half is symmetric
        const double F = least_free_energy(std::sqrt(5.0) * i / n);
        low            = std::min(low, F);
        high           = std::max(high, F);
    }
    return high - low;
}

}   // namespace credence::double_well
