// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/noise_model.h"

namespace credence {

NoiseModel gaussian_level_noise_model()
{
    return {.id         = "level",
            .title      = "Learned level",
            .hint       = "One unknown noise level for all x, learned with the weights.",
            .likelihood = [](std::span<const double>) { return Likelihood::gaussian_with_learned_sd(true, 0); }};
}

}   // namespace credence
