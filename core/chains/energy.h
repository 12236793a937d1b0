// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/diagnostic_value.h"
#include "chains/scalar_draws.h"

#include <vector>

namespace credence {

/// The estimated Bayesian fraction of missing information of one chain, from the energies E_t (potential plus kinetic, in nats) of its transitions:
///
///     E-BFMI = Σ_{t>=2} (E_t − E_{t−1})² / Σ_t (E_t − Ē)²
///
/// Near 1 where each new momentum brings the chain to any energy; small, say below 0.3, where it only creeps from one energy to the next; near 2 for independent
/// energies. Not split. Not defined for fewer than four energies, for equal ones and for such as are not finite. Source: Betancourt 2016.
DiagnosticValue e_bfmi(std::span<const double> energies);
/// Of each chain for itself [n_chains].
std::vector<DiagnosticValue> e_bfmi(const ScalarDraws& energies);

}   // namespace credence
