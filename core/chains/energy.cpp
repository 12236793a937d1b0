// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/energy.h"

#include "chains/split_chains.h"

#include <Eigen/Core>

namespace credence {

namespace {

DiagnosticValue e_bfmi_of_chain(std::span<const double> energies, std::size_t number)
{
    if (auto refused = why_not_judged("E-BFMI", {energies, 1, energies.size()}, number))
        return *refused;
    const auto n           = static_cast<Eigen::Index>(energies.size());
    const Eigen::ArrayXd E = unit_factor(energies)
                             * Eigen::Map<const Eigen::ArrayXd>(energies.data(), n);   // a ratio: no unit
    const double mean = E.mean();
    return (E.tail(n - 1) - E.head(n - 1)).square().sum() / (E - mean).square().sum();
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
