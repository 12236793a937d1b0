// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/logit_gaussian.h"

#include <vector>

namespace credence {

/// Σ without the direction that softmax ignores, as principal axes: z − mean(z) = μ − mean(μ) + Σ_i
/// x_i direction_i, x standard normal. Internal to core/simplex.
struct LogitAxes {
    struct Axis {
        std::vector<double> direction;   ///< √λ_i q_i [K], sums to 0
        double range =
            0;   ///< largest minus smallest entry: largest separation of two logits in one standard deviation
    };
    explicit LogitAxes(const LogitGaussian& logits);
    std::vector<Axis>
        axes;   ///< at most K − 1, widest last; axes without effect on softmax (up to rounding) are omitted
};

/// The trapezoidal rule for a standard normal coordinate: weights sum to 1.
struct AxisNodes {
    double step = 0;
    std::vector<double> position, weight;
};
/// Its step resolves the Gaussian and the nearest singularity of ln Σ e^z in the complex plane, at
/// a distance of π/range:
/// 0.5 min(1, 1/range), so that the error of both is below 1e-15. @param finer  divides the step
/// further; @param reach  in standard deviations
AxisNodes axis_nodes(const LogitAxes::Axis& axis, double finer = 1, double reach = 9);

}   // namespace credence
