// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/diagnostic_value.h"
#include "chains/scalar_draws.h"

#include <vector>

namespace credence {

/// The estimated Bayesian fraction of missing information of one chain, from the energies E_t
/// (potential plus kinetic, in nats) of its transitions:
///
///     E-BFMI = Σ_{t>=2} (E_t − E_{t−1})² / Σ_t (E_t − Ē)²
///
/// Near 1 if each new momentum can bring the chain to any energy; small, below about 0.3, if it
/// explores energies slowly; near 2 for independent energies. Chains are not split. Undefined for
/// fewer than four energies, equal energies or energies that are not finite. Source: Betancourt
/// 2016.
DiagnosticValue e_bfmi(std::span<const double> energies);
/// For each chain separately [n_chains].
std::vector<DiagnosticValue> e_bfmi(const ScalarDraws& energies);

}   // namespace credence
