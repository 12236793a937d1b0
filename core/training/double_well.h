// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The double-well potential, a test problem for samplers (Chen et al. 2014, section 4.1; the
/// functional-BNN submission, section 5.1).
namespace credence::double_well {

/// U(θ) = −2θ² + 0.2θ⁴, nats; its wells are at ±√5, where it is −5.
double potential(double theta);
/// dU/dθ = −4θ + 0.8θ³
double slope(double theta);

/// A functional of N(μ, s²) and its derivatives with respect to μ and s.
struct Functional {
    double value = 0, by_mu = 0, by_sd = 0;
};
/// E U = −2(μ²+s²) + 0.2(μ⁴+6μ²s²+3s⁴), nats
Functional expected_potential(double mu, double sd);
/// Differential entropy ln(s√(2πe)) of N(μ, s²), nats.
Functional entropy(double sd);
/// E U minus the entropy: the potential of SGFuncRLD's chain over (μ, s).
Functional free_energy(double mu, double sd);

/// ∫exp(−U)dθ
double normaliser();
/// exp(−U(θ))/∫exp(−U)dθ, the density sampled by a chain over θ.
double density(double theta);
/// Var θ under exp(−U); its mean is 0.
double variance();

/// U(0) − U(√5), nats: the barrier between the wells.
double barrier();
/// The same for N(μ, s²) in the free energy: the smallest rise on a path from one well to the
/// other, nats. The path follows the best s for each μ, where
/// ∂F/∂s = 0: s² = ((4 − 2.4μ²) + √((4 − 2.4μ²)² + 9.6))/4.8. At the barrier the Gaussian is wide,
/// which lowers it.
double functional_barrier();

}   // namespace credence::double_well
