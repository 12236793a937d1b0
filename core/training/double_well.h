// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The potential with two wells on which samplers are looked at (Chen et al. 2014, section 4.1; the functional-BNN submission, section 5.1).
namespace credence::double_well {

/// U(θ) = −2θ² + 0.2θ⁴, nats; its wells are at ±√5, where it is −5.
double potential(double theta);
/// dU/dθ = −4θ + 0.8θ³
double slope(double theta);

/// A functional of N(μ, s²), and its derivatives in μ and s.
struct Functional {
    double value = 0, by_mu = 0, by_sd = 0;
};
/// E U = −2(μ²+s²) + 0.2(μ⁴+6μ²s²+3s⁴), nats
Functional expected_potential(double mu, double sd);
/// Differential entropy ln(s√(2πe)) of N(μ, s²), nats.
Functional entropy(double sd);
/// E U less the entropy: what SGFuncRLD's chain over (μ, s) goes down.
Functional free_energy(double mu, double sd);

/// ∫exp(−U)dθ
double normaliser();
/// exp(−U(θ))/∫exp(−U)dθ, what a chain over θ samples.
double density(double theta);
/// Var θ under exp(−U); its mean is 0.
double variance();

/// U(0) − U(√5), nats: how high a point climbs from one well into the other.
double barrier();
/// The same for N(μ, s²) in the free energy: the smallest rise on a way from one well to the other, nats. The way follows the best s for each μ, where
/// ∂F/∂s = 0: s² = ((4 − 2.4μ²) + √((4 − 2.4μ²)² + 9.6))/4.8. Over the hill in the middle the Gaussian is wide and feels less of it.
double functional_barrier();

}   // namespace credence::double_well
