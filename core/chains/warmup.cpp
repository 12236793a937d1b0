// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/chain.h"

#include "chains/hamiltonian.h"
#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace credence {

DualAveraging::DualAveraging(double step_size, const DualAveragingOptions& options) : options_(options)
{
    if (!(options.target > 0 && options.target < 1))
        throw Error("Warm-up: the target of the acceptance statistic is " + std::to_string(options.target)
                    + ", expected a number between 0 and 1.");
    restart(step_size);
}

void DualAveraging::restart(double step_size)
{
    mu_          = std::log(step_size);
    h_           = 0;
    log_average_ = 0;
    step_size_   = step_size;
    t_           = 0;
}

void DualAveraging::learn(double acceptance)
{
    const double alpha = acceptance >= 0 ? std::fmin(acceptance, 1.0) : 0.0;
    const auto t       = static_cast<double>(++t_);
    const double share = 1 / (t + options_.t0);
    h_                 = (1 - share) * h_ + share * (options_.target - alpha);
    const double log   = mu_ - std::sqrt(t) / options_.gamma * h_;
    const double fresh = std::pow(t, -options_.kappa);
    log_average_       = fresh * log + (1 - fresh) * log_average_;
    step_size_         = std::exp(log);
}

void DualAveraging::serialise(StateBytes& state)
{
    state.value(mu_);
    state.value(h_);
    state.value(log_average_);
    state.value(step_size_);
    state.value(t_);
}

double DualAveraging::averaged() const { return t_ == 0 ? step_size_ : std::exp(log_average_); }

namespace {

const double settled = std::log(1.5);

/// The last two slow windows, most recent first.
std::vector<const WindowReport*> last_slow_windows(const WarmupReport& report)
{
    std::vector<const WindowReport*> found;
    for (auto window = report.windows.rbegin(); window != report.windows.rend() && found.size() < 2; ++window)
        if (window->slow)
            found.push_back(&*window);
    return found;
}

std::string factor_text(double log) { return number_text(std::exp(std::fabs(log)), 2); }

}   // namespace

std::optional<double> WarmupReport::step_size_change() const
{
    const auto slow = last_slow_windows(*this);
    if (slow.size() < 2)
        return std::nullopt;
    return std::log(slow[0]->step_size / slow[1]->step_size);
}

std::optional<double> WarmupReport::metric_change() const
{
    const auto slow = last_slow_windows(*this);
    return slow.size() < 2 ? std::nullopt : slow[0]->metric_change;
}

std::optional<bool> WarmupReport::step_size_settled() const
{
    const auto found = step_size_change();
    return found ? std::optional(std::fabs(*found) < settled) : std::nullopt;
}

std::optional<bool> WarmupReport::metric_settled() const
{
    const auto found = metric_change();
    return found ? std::optional(*found < settled) : std::nullopt;
}

std::vector<std::string> sentences(const WarmupReport& report)
{
    if (report.planned == 0)
        return {"There was no warm-up: the step size is " + number_text(report.step_size, 3)
                + ", the metric is the identity."};
    if (report.transitions < report.planned)
        return {"The warm-up is at transition " + std::to_string(report.transitions) + " of "
                + std::to_string(report.planned) + "."};
    std::vector<std::string> all;
    const std::string found = "The step size is " + number_text(report.step_size, 3);
    if (const auto change = report.step_size_change())
        all.push_back(found
                      + (*report.step_size_settled()
                             ? "; it settled: the last two windows differ by a factor of "
                             : "; it had not settled: the last two windows differ by a factor of ")
                      + factor_text(*change) + ".");
    else
        all.push_back(found + "; the warm-up was too short to tell whether it settled.");
    if (const auto change = report.metric_change())
        all.push_back(*report.metric_settled()
                          ? "The metric settled: its variances last changed by a factor of " + factor_text(*change)
                                + "."
                          : "The metric had not settled: its variances last changed by a factor of "
                                + factor_text(*change) + ". Use a longer warm-up.");
    if (report.metric != report.wanted)
        all.emplace_back("The metric is diagonal: no window had enough draws for a dense one. Use a longer warm-up.");
    if (report.divergences > 0)
        all.push_back(std::to_string(report.divergences) + " of " + std::to_string(report.transitions)
                      + " transitions of the warm-up diverged (" + percent_text(report.divergent_share()) + ").");
    return all;
}

namespace {

constexpr double smallest_variance = 1e-10, largest_variance = 1e10;
constexpr long least_with_windows = 20;
constexpr long draws_of_a_weight  = 2;   // fewer give a covariance that makes trajectories diverge

/// Root mean square of ln(a / b).
double change(std::span<const double> a, std::span<const double> b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double log = std::log(a[i] / b[i]);
        sum += log * log;
    }
    return std::sqrt(sum / static_cast<double>(a.size()));
}

void pass_window(StateBytes& state, WindowReport& window)
{
    state.value(window.begin);
    state.value(window.end);
    state.value(window.slow);
    state.value(window.step_size);
    state.value(window.acceptance);
    state.value(window.leapfrog_steps);
    state.value(window.divergences);
    state.value(window.metric_change);
}

}   // namespace

void Warmup::serialise(StateBytes& state)
{
    state.section("warm-up");
    state.within(window_, 0, static_cast<long>(windows_.size()));
    state.within(transition_, 0, window_ < windows_.size() ? windows_[window_].end - 1 : report_.planned);
    dual_averaging_.serialise(state);
    draws_.serialise(state);
    gradients_.serialise(state);
    if (covariance_)
        covariance_->serialise(state);
    state.value(report_.transitions);
    state.value(report_.divergences);
    state.value(report_.leapfrog_steps);
    state.value(report_.first_step_size);
    state.value(report_.step_size);
    state.within(report_.metric, 0, static_cast<long>(MetricKind::dense));
    state.list(report_.windows, [](StateBytes& s, WindowReport& window) { pass_window(s, window); });
    pass_window(state, current_);
}

std::vector<WarmupWindow> warmup_windows(const WarmupOptions& options)
{
    const long n = options.transitions;
    if (n <= 0)
        return {};
    if (n < least_with_windows)
        return {{0, n, false}};
    const long first = static_cast<long>(static_cast<double>(n) * options.first_fast);
    const long last  = n - static_cast<long>(static_cast<double>(n) * options.last_fast);
    std::vector<WarmupWindow> windows;
    if (first > 0)
        windows.push_back({0, first, false});
    long begin = first;
    for (long size = std::max(options.first_window, 2L); begin < last; size *= 2) {
        const bool another = begin + size + 2 * size <= last;
        const long end     = another ? begin + size : last;
        windows.push_back({begin, end, true});
        begin = end;
    }
    if (last < n)
        windows.push_back({last, n, false});
    return windows;
}

Warmup::Warmup(std::size_t dimension, const WarmupOptions& options)
    : options_(options), windows_(warmup_windows(options)), dual_averaging_(1, options.dual_averaging),
      draws_(dimension), gradients_(dimension)
{
    if (options.metric == MetricKind::dense) {
        if (dimension > Metric::largest_dense)
            throw Error("Warm-up: a dense metric for " + std::to_string(dimension) + " weights, expected at most "
                        + std::to_string(Metric::largest_dense) + "; use the diagonal metric.");
        covariance_.emplace(dimension);
    }
    if (!(options.step_size >= 0) || (options.transitions <= 0 && !(options.step_size > 0)))
        throw Error("Warm-up: the step size is " + std::to_string(options.step_size)
                    + ", expected a positive number, or 0 for a search, which needs a warm-up.");
    if (!(options.first_fast >= 0 && options.last_fast >= 0 && options.first_fast + options.last_fast < 1))
        throw Error("Warm-up: the shares of the first and the last window are " + std::to_string(options.first_fast)
                    + " and " + std::to_string(options.last_fast) + ", expected less than 1 together.");
    report_.planned   = std::max(options.transitions, 0L);
    report_.target    = options.dual_averaging.target;
    report_.wanted    = options.metric;
    report_.step_size = options.step_size;
}

double Warmup::step_size() const { return done() ? report_.step_size : dual_averaging_.step_size(); }

void Warmup::begin(const Hamiltonian& hamiltonian, PhasePoint& at, PhasePoint& scratch, ChainNoise& noise)
{
    if (done())
        return;
    report_.first_step_size = options_.step_size > 0
                                  ? options_.step_size
                                  : find_step_size(hamiltonian, at, scratch, 1, options_.dual_averaging.target, noise);
    report_.step_size       = report_.first_step_size;
    dual_averaging_.restart(report_.first_step_size);
}

void Warmup::learn(const Transition& transition, Hamiltonian& hamiltonian, PhasePoint& at, PhasePoint& scratch,
                   ChainNoise& noise)
{
    const WarmupWindow& window = windows_[window_];
    dual_averaging_.learn(transition.acceptance);
    current_.acceptance += transition.acceptance;
    current_.leapfrog_steps += transition.leapfrog_steps;
    current_.divergences += transition.divergent;
    report_.leapfrog_steps += transition.leapfrog_steps;
    report_.divergences += transition.divergent;
    report_.transitions = ++transition_;
    if (window.slow) {
        draws_.add(at.theta);
        gradients_.add(at.gradient);
        if (covariance_)
            covariance_->add(at.theta);
    }
    if (transition_ == window.end)
        end_window(window, hamiltonian, at, scratch, noise);
}

void Warmup::end_window(const WarmupWindow& window, Hamiltonian& hamiltonian, PhasePoint& at, PhasePoint& scratch,
                        ChainNoise& noise)
{
    const auto count   = static_cast<double>(window.end - window.begin);
    current_.begin     = window.begin;
    current_.end       = window.end;
    current_.slow      = window.slow;
    current_.step_size = dual_averaging_.averaged();
    current_.acceptance /= count;
    current_.leapfrog_steps /= count;
    report_.step_size = current_.step_size;
    if (window.slow && draws_.count() >= 2) {
        Metric metric          = estimate();
        current_.metric_change = change(metric.variances(), hamiltonian.metric().variances());
        report_.metric         = metric.kind();
        hamiltonian.set_metric(std::move(metric));
        // Also after the last slow window, since the step size for the previous metric can be far
        // off.
        report_.step_size = find_step_size(hamiltonian, at, scratch, report_.step_size, options_.dual_averaging.target,
                                           noise);
        dual_averaging_.restart(report_.step_size);
    }
    report_.windows.push_back(current_);
    current_ = {};
    clear();
    ++window_;
}

/// Draws and gradients: for a Gaussian with variances σ², ∇ln p = -(θ - μ)/σ², so that √(var θ /
/// var ∇ln p) = σ² for any draws. Draws alone, and a covariance, use Stan's shrinkage: n/(n + 5)
/// var + 10⁻³ · 5/(n + 5).
/// Source: Seyboldt, Carlson and Carpenter 2026; Carpenter et al. 2017
Metric Warmup::estimate() const
{
    const auto n        = static_cast<double>(draws_.count());
    const double weight = n / (n + 5), rest = 1e-3 * (5 / (n + 5));
    const std::size_t dimension = draws_.dimension();
    if (covariance_ && draws_.count() >= draws_of_a_weight * static_cast<long>(dimension)) {
        Eigen::MatrixXd covariance = weight * covariance_->covariance();
        covariance.diagonal().array() += rest;
        return Metric::dense(covariance);
    }
    std::vector<double> variances(dimension);
    for (std::size_t i = 0; i < dimension; ++i) {
        const double of_draws = draws_.variance(i), of_gradients = gradients_.variance(i);
        double variance = std::sqrt(of_draws / of_gradients);
        if (options_.estimate == MetricEstimate::draws || !(of_draws > 0) || !(of_gradients > 0)
            || !std::isfinite(variance))
            variance = weight * of_draws + rest;
        variances[i] = std::clamp(variance, smallest_variance, largest_variance);
    }
    return Metric::diagonal(variances);
}

void Warmup::clear()
{
    draws_.clear();
    gradients_.clear();
    if (covariance_)
        covariance_->clear();
}

}   // namespace credence
