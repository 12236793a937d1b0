// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/dual_averaging.h"
#include "chains/hamiltonian.h"
#include "chains/running_moments.h"
#include "chains/warmup_report.h"

#include <memory>
#include <optional>
#include <vector>

namespace credence {

/// Estimators of the diagonal metric.
enum class MetricEstimate {
    draws_and_gradients,   ///< √(var θ / var ∇ln p): exact for independent Gaussians after two draws
    draws,                 ///< var θ with Stan's shrinkage
};

struct WarmupOptions {
    long transitions        = 1000;   ///< 0: no warm-up, the chain uses step_size and the unit metric
    double step_size        = 0;      ///< initial value; 0: found by a search
    MetricKind metric       = MetricKind::diagonal;
    MetricEstimate estimate = MetricEstimate::draws_and_gradients;   ///< diagonal only
    long first_window       = 25;     ///< transitions of the first slow window; each later one has twice as many
    double first_fast       = 0.15;   ///< share of the transitions before the first slow window, step size only
    double last_fast        = 0.10;   ///< share of the transitions after the last slow window
    DualAveragingOptions dual_averaging{};
    bool operator==(const WarmupOptions&) const = default;
};

/// One phase of a warm-up: transitions begin … end - 1.
struct WarmupWindow {
    long begin = 0, end = 0;
    bool slow                                  = false;   ///< collects draws for a metric, which is set at its end
    bool operator==(const WarmupWindow&) const = default;
};

/// The windows of a warm-up: a fast window, slow windows of doubling length, a fast window. Fewer
/// than 20 transitions form one fast window. The last slow window is extended if the rest is too
/// short for a window twice as long.
/// Source: the windows of Stan (Carpenter et al. 2017), by shares of the warm-up
std::vector<WarmupWindow> warmup_windows(const WarmupOptions& options);

/// Adapts the step size and metric of one chain during warm-up.
class Warmup {
public:
    /// @param dimension  of the density
    Warmup(std::size_t dimension, const WarmupOptions& options);

    bool done() const { return transition_ >= options_.transitions; }
    /// The step size of the next transition: during warm-up the current value of dual averaging,
    /// after it the average.
    double step_size() const;

    /// Finds the initial step size. @param at, scratch  as for find_step_size
    void begin(const Hamiltonian& hamiltonian, PhasePoint& at, PhasePoint& scratch, ChainNoise& noise);
    /// Learns from the last transition, and sets the metric at the end of a slow window. Must not
    /// be called after warm-up.
    void learn(const Transition& transition, Hamiltonian& hamiltonian, PhasePoint& at, PhasePoint& scratch,
               ChainNoise& noise);

    /// Reads or writes the adaptation state.
    void serialise(StateBytes& state);

    const WarmupReport& report() const { return report_; }

private:
    void end_window(const WarmupWindow& window, Hamiltonian& hamiltonian, PhasePoint& at, PhasePoint& scratch,
                    ChainNoise& noise);
    Metric estimate() const;
    void clear();

    WarmupOptions options_;
    std::vector<WarmupWindow> windows_;
    std::size_t window_ = 0;
    long transition_    = 0;
    DualAveraging dual_averaging_;
    RunningVariances draws_, gradients_;
    std::optional<RunningCovariance> covariance_;
    WarmupReport report_;
    WindowReport current_;
};

}   // namespace credence
