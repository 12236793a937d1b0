// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/energy.h"

#include "chains/lane_sum.h"
#include "chains/split_chains.h"

namespace credence {

namespace {

DiagnosticValue e_bfmi_of_chain(std::span<const double> energies, std::size_t number)
{
    if (auto refused = why_not_judged("E-BFMI", {energies, 1, energies.size()}, number))
        return *refused;
    std::vector<double> E(energies.begin(), energies.end());
    const double factor = unit_factor(energies);   // the result is a ratio, so the unit is arbitrary
    for (double& energy : E)
        energy *= factor;
    const double steps = lane_sum(E.size() - 1, [&](std::size_t t) { return (E[t + 1] - E[t]) * (E[t + 1] - E[t]); });
    return steps / squares_about(lane_mean(E), E);
}

}   // namespace

DiagnosticValue e_bfmi(std::span<const double> energies) { return e_bfmi_of_chain(energies, 0); }

std::vector<DiagnosticValue> e_bfmi(const ScalarDraws& energies)
{
    energies.check();
    std::vector<DiagnosticValue> out;
    for (std::size_t c = 0; c < energies.n_chains; ++c)
        out.push_back(e_bfmi_of_chain(energies.chain(c), c));
    return out;
}

}   // namespace credence
