// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/step_size_search.h"

#include "foundation/error.h"

#include <cmath>

namespace credence {

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
