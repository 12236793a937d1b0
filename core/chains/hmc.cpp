// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/hmc.h"

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

}   // namespace credence
