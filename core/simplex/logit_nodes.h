// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/logit_gaussian.h"

#include <vector>

namespace credence {

/// Σ without what softmax does not see, as principal axes: z − mean(z) = μ − mean(μ) + Σ_i x_i direction_i, x standard normal. Internal to core/simplex.
struct LogitAxes {
    struct Axis {
        std::vector<double> direction;   ///< √λ_i q_i [K], adds up to 0
        double range = 0;   ///< largest minus smallest entry: how far two logits move apart in one standard deviation
    };
    explicit LogitAxes(const LogitGaussian& logits);
    std::vector<Axis> axes;   ///< at most K − 1, widest last; axes that do not move softmax (to rounding) are left out
};

/// The trapezoidal rule for a standard normal coordinate: weights add up to 1.
struct AxisNodes {
    double step = 0;
    std::vector<double> position, weight;
};
/// Its step resolves the Gaussian and the singularity of ln Σ e^z that is nearest in the complex plane, at a distance of π/range:
/// 0.5 min(1, 1/range), so that the error of both is below 1e-15. @param finer  divides the step further; @param reach  in standard deviations
AxisNodes axis_nodes(const LogitAxes::Axis& axis, double finer = 1, double reach = 9);

}   // namespace credence
