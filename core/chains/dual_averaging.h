// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/state_bytes.h"

namespace credence {

struct DualAveragingOptions {
    double target = 0.8;   ///< δ, the target acceptance statistic, in (0, 1)
    double gamma  = 0.2;   ///< γ > 0: how weakly ln ε responds to one transition, and how strongly
                           ///< it is pulled to μ
    double t0                                          = 10;     ///< how much the first steps are damped
    double kappa                                       = 0.75;   ///< κ in (0.5, 1]: how fast old steps are forgotten
    bool operator==(const DualAveragingOptions&) const = default;
};

/// Finds the step size at which the acceptance statistic α has the target as its mean:
///     h_t = (1 - 1/(t + t0)) h_{t-1} + (δ - α_t)/(t + t0),   ln ε_t = μ - √t/γ h_t,
///     ln ε̄_t = t^{-κ} ln ε_t + (1 - t^{-κ}) ln ε̄_{t-1}
/// Source: Hoffman and Gelman 2014, section 3.2.1, with γ = 0.05 and μ = ln 10 ε. With those values
/// ln ε_t jumps by ±1 for the first hundred transitions and trajectories diverge. The averaged step
/// size is then accepted far more often than the target: on small networks 0.92 for δ = 0.8, with
/// 1.7 times the gradients.
class DualAveraging {
public:
    /// @param step_size  initial value; μ = ln ε
    explicit DualAveraging(double step_size = 1, const DualAveragingOptions& options = {});

    /// Restarts from this step size.
    void restart(double step_size);
    /// @param acceptance  of the last transition, in [0, 1]; NaN counts as 0
    void learn(double acceptance);

    double step_size() const { return step_size_; }   ///< ε_t: for the next transition of the warm-up
    void serialise(StateBytes& state);                ///< passes μ, h_t, ln ε̄_t, ε_t and t
    double averaged() const;                          ///< ε̄_t: for the draws after it

private:
    DualAveragingOptions options_;
    double mu_ = 0, h_ = 0, log_average_ = 0, step_size_ = 1;
    long t_ = 0;
};

}   // namespace credence
