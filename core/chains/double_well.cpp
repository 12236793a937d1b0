// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/double_well.h"

#include "foundation/elementary.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/progress.h"
#include "random/noise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace credence::double_well {
namespace {

/// ∫θ^(2k) exp(−U)dθ by the trapezoidal rule, which converges faster than any power of the step
/// size for integrands that vanish so fast at both ends.
double even_moment(int k)
{
    constexpr double end = 8, step = 1.0 / 256;   // exp(−U(8)) = e^-691
    double sum = 0;
    for (double theta = -end; theta <= end; theta += step)
        sum += std::pow(theta * theta, k) * std::exp(-potential(theta));
    return sum * step;
}

/// min_s F(μ, s): F is convex in s.
double least_free_energy(double mu)
{
    const double half = 4 - 2.4 * mu * mu;
    return free_energy(mu, std::sqrt((half + std::sqrt(half * half + 9.6)) / 4.8)).value;
}

}   // namespace

double potential(double theta)
{
    const double square = theta * theta;
    return square * (-2 + 0.2 * square);
}

double slope(double theta) { return theta * (-4 + 0.8 * theta * theta); }

Functional expected_potential(double mu, double sd)
{
    const double m2 = mu * mu, s2 = sd * sd;
    return {-2 * (m2 + s2) + 0.2 * (m2 * m2 + 6 * m2 * s2 + 3 * s2 * s2), mu * (-4 + 0.8 * m2 + 2.4 * s2),
            sd * (-4 + 2.4 * (m2 + s2))};
}

Functional entropy(double sd)
{
    return {std::log(sd) + 0.5 * std::log(2 * std::numbers::pi * std::numbers::e), 0, 1 / sd};
}

Functional free_energy(double mu, double sd)
{
    const auto energy = expected_potential(mu, sd), spread = entropy(sd);
    return {energy.value - spread.value, energy.by_mu, energy.by_sd - spread.by_sd};
}

double normaliser() { return even_moment(0); }
double variance() { return even_moment(1) / even_moment(0); }

double density(double theta)
{
    static const double Z = normaliser();
    return std::exp(-potential(theta)) / Z;
}

double barrier() { return potential(0) - potential(std::sqrt(5.0)); }

double functional_barrier()
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    constexpr int n = 2000;
    for (int i = 0; i <= n; ++i) {   // from the centre to a well; the other half is symmetric
        const double F = least_free_energy(std::sqrt(5.0) * i / n);
        low            = std::min(low, F);
        high           = std::max(high, F);
    }
    return high - low;
}

namespace {

constexpr double farthest = 50;   // U is a million nats there; only a step size that is too large
                                  // leads this far

/// P(ξ <= z), ξ standard normal.
double normal_probability(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

void check(double step_size, double momentum, double temperature)
{
    const auto refuse = [](const char* what, double found, const char* expected) {
        throw Error(std::string("Double well: the ") + what + " is " + number_text(found, 6) + ", expected a number "
                    + expected + ".");
    };
    if (!(step_size > 0 && std::isfinite(step_size)))
        refuse("step size", step_size, "above 0");
    if (!(momentum >= 0 && momentum < 1))
        refuse("momentum", momentum, "from 0 to below 1");
    if (!(temperature >= 0 && std::isfinite(temperature)))
        refuse("temperature", temperature, "of at least 0");
}

void require_near(double place, const char* who, long step, double step_size)
{
    if (!(std::fabs(place) <= farthest))
        throw Error(std::string("Double well, step ") + std::to_string(step) + ": " + who + " is at "
                    + number_text(place, 3) + ", expected a position between -50 and 50; the step size "
                    + number_text(step_size, 6) + " is too large.");
}

LangevinOptions sghmc(double momentum, double temperature)
{
    return {.kind = LangevinKind::sghmc, .temperature = temperature, .friction = 1 - momentum};
}

/// Normal number i of the seed's starts: 0 for the pair of chains, 1 for the long chain.
double start(std::uint64_t seed, std::uint64_t i)
{
    double out = 0;
    standard_normals({seed, Stream::initial_weights, 0}, i, {&out, 1});
    return out;
}

}   // namespace

int Bins::of(double theta)
{
    const double place = std::floor((theta - from) / width);
    return place >= 0 && place < n ? static_cast<int>(place) : n;
}

void Crossings::visit(double theta)
{
    if (!(std::fabs(theta) > std::sqrt(5.0) / 2))
        return;
    const int side = theta > 0 ? 1 : -1;
    count_ += side_ == -side;
    side_ = side;
}

void Tally::add(const GaussianState& state)
{
    const auto& [mu, sd] = state;
    ++n_;
    sum_ += mu;
    squares_ += mu * mu + sd * sd;
    if (sd <= 0) {
        right_ += mu > 0;
        if (const int bin = Bins::of(mu); bin < Bins::n)
            ++mass_[static_cast<std::size_t>(bin)];
        return;
    }
    right_ += normal_probability(mu / sd);
    double below = normal_probability((Bins::from - mu) / sd);
    for (int bin = 0; bin < Bins::n; ++bin) {
        const double up_to = normal_probability((Bins::from + (bin + 1) * Bins::width - mu) / sd);
        mass_[static_cast<std::size_t>(bin)] += up_to - below;
        below = up_to;
    }
}

std::optional<double> Tally::mean() const { return n_ ? std::optional(sum_ / static_cast<double>(n_)) : std::nullopt; }

std::optional<double> Tally::variance() const
{
    if (!n_)
        return {};
    return squares_ / static_cast<double>(n_) - *mean() * *mean();
}

std::optional<double> Tally::right_share() const
{
    return n_ ? std::optional(right_ / static_cast<double>(n_)) : std::nullopt;
}

std::vector<double> Tally::bins() const
{
    std::vector<double> out(mass_.begin(), mass_.end());
    for (double& mass : out)
        mass /= static_cast<double>(std::max(1L, n_));
    return out;
}

ChainPair::ChainPair(const ChainPairOptions& options)
    : options_((check(options.step_size, options.momentum, options.temperature), options)),
      chain_(sghmc(options.momentum, options.temperature), {.seed = options.seed}, state_.size())
{
    const double from = options.start.value_or(start(options.seed, 0));
    if (!(std::fabs(from) <= farthest))
        throw Error("Double well: the start is " + number_text(from, 6) + ", expected a position between -50 and 50.");
    state_ = {from, from, inverse_softplus(1)};
    points_.push_back(from);
    gaussians_.push_back({from, 1});
}

void ChainPair::advance(long steps)
{
    for (long i = 0; i < steps; ++i) {
        const auto [theta, mu, rho] = state_;
        const auto F                = free_energy(mu, softplus(rho));
        const std::array gradient{slope(theta), F.by_mu, F.by_sd * sigmoid(rho)};
        const long step = this->steps() + 1;
        chain_.begin_step(options_.step_size);
        chain_.apply(0, gradient, state_);
        require_near(state_[0], "the plain chain", step, options_.step_size);
        require_near(state_[1], "the functional chain", step, options_.step_size);
        require_near(state_[2], "the width of the functional", step, options_.step_size);
        points_.push_back(state_[0]);
        gaussians_.push_back({state_[1], softplus(state_[2])});
        plain_.add({state_[0], 0});
        functional_.add(gaussians_.back());
        plain_crossings_.visit(state_[0]);
        functional_crossings_.visit(state_[1]);
    }
}

std::vector<double> ChainPair::plain_draws(std::size_t most) const
{
    return thinned(std::span(points_).subspan(1), most);
}

std::vector<double> ChainPair::functional_draws(std::size_t most) const
{
    const auto n_states = static_cast<std::size_t>(steps());
    if (n_states == 0 || most == 0)
        return {};
    const std::size_t n_taken = std::min(n_states, most);
    const std::size_t each    = std::clamp<std::size_t>(most / n_taken, 1, 100);
    std::vector<double> out(n_taken * each);
    for (std::size_t i = 0; i < n_taken; ++i) {
        const std::size_t t = (i + 1) * n_states / n_taken;   // includes the last
        const auto draws    = std::span(out).subspan(i * each, each);
        standard_normals({options_.seed, Stream::prediction, static_cast<std::uint32_t>(t)}, 0, draws);
        for (double& draw : draws)
            draw = gaussians_[t].mu + gaussians_[t].sd * draw;
    }
    return out;
}

LongChain long_chain(const LongChainOptions& options)
{
    check(options.step_size, options.momentum, 1);
    if (options.steps < 1 || options.every < 1 || options.every > options.steps)
        throw Error("Double well: found " + std::to_string(options.steps) + " steps of which every "
                    + std::to_string(options.every) + "th is saved, expected at least one saved step.");
    constexpr std::size_t place = 3;   // after the streams of a ChainPair: independent random numbers
    std::array<double, place + 1> state{};
    state[place] = start(options.seed, 1);
    Langevin<double> chain(sghmc(options.momentum, 1), {.seed = options.seed}, state.size());
    LongChain out{.options = options, .draws = {}, .tally = {}};
    out.draws.reserve(static_cast<std::size_t>(options.steps / options.every));
    Crossings crossings;
    for (long t = 1; t <= options.steps; ++t) {
        if (t % 10'000 == 0)
            stop_point();
        const double gradient = slope(state[place]);
        chain.begin_step(options.step_size);
        chain.apply(place, {&gradient, 1}, state);
        require_near(state[place], "the long chain", t, options.step_size);
        crossings.visit(state[place]);
        if (t % options.every == 0) {
            out.draws.push_back(state[place]);
            out.tally.add({state[place], 0});
        }
    }
    out.crossings = crossings.count();
    return out;
}

std::vector<double> thinned(std::span<const double> values, std::size_t most)
{
    if (values.size() <= most)
        return {values.begin(), values.end()};
    std::vector<double> out;
    for (std::size_t i = 1; i <= most; ++i)
        out.push_back(values[i * values.size() / most - 1]);
    return out;
}

}   // namespace credence::double_well
