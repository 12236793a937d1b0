// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chains/hamiltonian.h"
#include "chains/metric.h"
#include "foundation/state_bytes.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

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
    void serialise(StateBytes& state);                ///< reads or writes μ, h_t, ln ε̄_t, ε_t and t
    double averaged() const;                          ///< ε̄_t: for the draws after the warm-up

private:
    DualAveragingOptions options_;
    double mu_ = 0, h_ = 0, log_average_ = 0, step_size_ = 1;
    long t_ = 0;
};

/// The results of one warm-up window.
struct WindowReport {
    long begin = 0, end = 0;   ///< transitions begin … end - 1
    bool slow             = false;
    double step_size      = 0;   ///< found by dual averaging
    double acceptance     = 0;   ///< mean of the acceptance statistic
    double leapfrog_steps = 0;   ///< mean per transition
    long divergences      = 0;
    /// Slow windows: the difference between the metric set at the end of the window and the
    /// previous metric, as the root mean square of ln(variance / previous variance) over all
    /// weights.
    std::optional<double> metric_change{};
    bool operator==(const WindowReport&) const = default;
};

/// The results of a warm-up. Unknown values are empty.
struct WarmupReport {
    long transitions       = 0;   ///< done so far
    long planned           = 0;
    long divergences       = 0;
    long leapfrog_steps    = 0;
    double first_step_size = 0;   ///< found by the search
    double step_size       = 0;   ///< of the draws
    double target          = 0;   ///< of the acceptance statistic
    MetricKind wanted      = MetricKind::diagonal;
    MetricKind metric      = MetricKind::diagonal;   ///< diagonal if no window had enough draws for a dense one
    std::vector<WindowReport> windows{};

    double divergent_share() const
    {
        return transitions > 0 ? static_cast<double>(divergences) / static_cast<double>(transitions) : 0;
    }
    /// ln of the ratio of the step sizes found by the last two slow windows; empty for fewer than
    /// two.
    std::optional<double> step_size_change() const;
    /// The metric change of the last slow window; empty for fewer than two.
    std::optional<double> metric_change() const;
    std::optional<bool> step_size_settled() const;   ///< it changed by less than a factor of 1.5
    std::optional<bool> metric_settled() const;      ///< scales changed by less than a factor of 1.5 on average
    bool operator==(const WarmupReport&) const = default;
};

/// The findings of a warm-up for users, one sentence each, the most important first: "The step size
/// settled at 0.31 …".
std::vector<std::string> sentences(const WarmupReport& report);

/// Estimators of the diagonal metric.
enum class MetricEstimate {
    draws_and_gradients,   ///< √(var θ / var ∇ln p): exact for independent Gaussians from two draws on
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

    /// Starts the adaptation from the given step size, or from one found by a search. Has no effect
    /// without warm-up.
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

struct ChainOptions {
    std::variant<NutsOptions, HmcOptions> sampler{};
    WarmupOptions warmup{};
    std::uint64_t seed           = 1;
    std::uint32_t number         = 0;     ///< of this chain among several with the same seed, below 2^30
    std::size_t kept_divergences = 100;   ///< maximum number of stored divergence positions
    SamplerFaults faults{};
};

/// A divergent transition.
struct Divergence {
    long transition = 0;         ///< 0-based, warm-up included
    std::vector<double> theta;   ///< last finite point of the trajectory [dimension]
};

/// One chain of HMC or NUTS, driven one transition at a time by the caller: warm-up first, then
/// draws. A pure function of density, start and options: the same bits on any thread, regardless of
/// other threads. A transition allocates only at the end of a warm-up window and when it stores a
/// divergence.
class Chain {
public:
    /// @param density  owned by this chain
    /// @param start    [dimension]
    /// @throws Error   "Chain 2: the log density at the start is -inf, expected a finite number."
    Chain(std::unique_ptr<LogDensity> density, std::span<const double> start, const ChainOptions& options = {});

    /// Makes one transition.
    const Transition& step();

    /// Reads or writes the complete state between two transitions. A chain with the same density
    /// and options, from any start, continues with the same bits.
    /// @throws Error if the data belong to another chain
    void serialise(StateBytes& state);

    bool warming_up() const { return !warmup_.done(); }                ///< the next transition belongs to the warm-up
    long transitions() const { return transitions_; }                  ///< done so far, warm-up included
    long gradients() const { return gradients_; }                      ///< of all transitions so far
    std::span<const double> theta() const { return current_.theta; }   ///< the current position
    const Transition& last() const { return last_; }
    const WarmupReport& warmup() const { return warmup_.report(); }
    const Metric& metric() const { return hamiltonian_.metric(); }
    double step_size() const { return warmup_.step_size(); }
    /// Divergences of the draws; those of the warm-up are counted in its report.
    std::span<const Divergence> divergences() const { return divergences_; }

private:
    std::unique_ptr<LogDensity> density_;
    ChainOptions options_;
    Hamiltonian hamiltonian_;
    std::variant<Nuts, Hmc> sampler_;
    Warmup warmup_;
    PhasePoint current_, scratch_;
    ChainNoise noise_, search_noise_;
    Transition last_;
    std::vector<double> last_finite_;
    std::vector<Divergence> divergences_;
    long transitions_ = 0, gradients_ = 0;
};

}   // namespace credence
