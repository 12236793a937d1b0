// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/split_chains.h"

#include "chains/lane_sum.h"
#include "foundation/finite.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace credence {

namespace {

/// Variance of the values with divisor n − 1.
double sample_variance(std::span<const double> values)
{
    return squares_about(lane_mean(values), values) / static_cast<double>(values.size() - 1);
}

std::string number_of(std::size_t n, const char* one, const char* more)
{
    return std::to_string(n) + " " + (n == 1 ? one : more);
}

}   // namespace

std::optional<DiagnosticValue> why_not_judged(const char* name, const ScalarDraws& draws, std::size_t first_chain)
{
    const std::string begin = std::string(name) + ": ";
    if (draws.n_chains == 0)
        return DiagnosticValue(Undefined::too_few_draws, begin + "there are no chains.");
    if (draws.n_draws < fewest_draws)
        return DiagnosticValue(Undefined::too_few_draws, begin + "found " + number_of(draws.n_draws, "draw", "draws")
                                                             + " per chain, expected at least "
                                                             + std::to_string(fewest_draws) + ".");
    if (!all_finite(draws.values)) {
        const auto at = std::find_if(draws.values.begin(), draws.values.end(),
                                     [](double x) { return !std::isfinite(x); });
        const auto i  = static_cast<std::size_t>(at - draws.values.begin());
        return DiagnosticValue(Undefined::not_finite, begin + "draw " + std::to_string(i % draws.n_draws) + " of chain "
                                                          + std::to_string(first_chain + i / draws.n_draws) + " is "
                                                          + plain_text(*at) + ", expected finite numbers.");
    }
    if (all_equal(draws.values))
        return DiagnosticValue(Undefined::constant,
                               begin + "all draws are " + plain_text(draws.values.front()) + ", so nothing varies.");
    return {};
}

void split_chains(const ScalarDraws& draws, std::span<double> halves)
{
    const std::size_t half = draws.n_draws / 2;
    auto to                = halves.begin();
    for (std::size_t c = 0; c < draws.n_chains; ++c) {
        const auto chain = draws.chain(c);
        to               = std::copy_n(chain.begin(), half, to);
        to               = std::copy_n(chain.end() - static_cast<std::ptrdiff_t>(half), half, to);
    }
}

OwnedDraws split_chains(const ScalarDraws& draws)
{
    draws.check();
    OwnedDraws out{.n_chains = 2 * draws.n_chains, .n_draws = draws.n_draws / 2};
    out.values.resize(out.n_chains * out.n_draws);
    split_chains(draws, out.values);
    return out;
}

DiagnosticValue r_hat_of_chains(const ScalarDraws& chains)
{
    const auto n = static_cast<double>(chains.n_draws), M = static_cast<double>(chains.n_chains);
    bool stands_still = true;
    double W          = 0;
    std::vector<double> means(chains.n_chains);
    for (std::size_t m = 0; m < chains.n_chains; ++m) {
        const auto x = chains.chain(m);
        means[m]     = lane_mean(x);
        if (all_equal(x))   // the variance is 0, regardless of rounding in the mean
            continue;
        stands_still = false;
        W += sample_variance(x) / M;
    }
    if (stands_still && all_equal(chains.values))
        return {Undefined::constant, "R̂: all values are equal, so nothing varies."};
    if (stands_still)
        return {Undefined::standing_still, "R̂: every half-chain is stuck at its own value, so R̂ is unbounded."};
    const double B_over_n = sample_variance(means);
    return std::sqrt(((n - 1) / n * W + B_over_n) / W);
}

DiagnosticValue ess_of_chains(const ScalarDraws& chains, MeanAutocovariance& gamma)
{
    if (all_equal(chains.values))
        return {Undefined::constant, "ESS: all values are equal, so nothing varies."};
    gamma.begin(chains);
    const auto n = static_cast<double>(chains.n_draws), S = static_cast<double>(chains.values.size());
    const double gamma_0  = gamma(0);
    const double W        = gamma_0 * n / (n - 1);
    const double var_plus = gamma_0 + (chains.n_chains > 1 ? sample_variance(gamma.chain_means()) : 0);
    const auto rho        = [&](std::size_t t) {
        if (t == 0)
            return 1.0;
        return t < chains.n_draws ? 1 - (W - gamma(t)) / var_plus : 0.0;
    };
    double sum      = 0;
    double smallest = std::numeric_limits<double>::infinity();
    std::size_t k   = 0;
    for (; k == 0 || 2 * k + 5 < chains.n_draws; ++k) {
        const double pair = rho(2 * k) + rho(2 * k + 1);
        if (!(pair > 0))
            break;
        smallest = std::min(smallest, pair);
        sum += smallest;
    }
    const double tau = -1 + 2 * sum + std::max(0.0, rho(2 * k));
    return S / std::max(tau, 1 / std::log10(S));
}

}   // namespace credence
