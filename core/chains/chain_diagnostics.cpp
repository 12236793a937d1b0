// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/chain_diagnostics.h"

#include "chains/scalar_draws.h"
#include "foundation/number_text.h"
#include "foundation/statistics.h"

#include <unsupported/Eigen/FFT>

#include <boost/math/distributions/fisher_f.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
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

/// The smallest of 2^k, 3·2^k and 5·2^k, k >= 2, that is at least n: lengths with a fast transform.
std::size_t transform_length(std::size_t n)
{
    std::size_t best = 0;
    for (const std::size_t factor : {1, 3, 5}) {
        std::size_t length = 4 * factor;
        while (length < n)
            length *= 2;
        best = best == 0 ? length : std::min(best, length);
    }
    return best;
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

/// Workspace of a transform. `fft` caches the plans of a length for its lifetime.
struct MeanAutocovariance::Transform {
    Eigen::FFT<double> fft{};
    std::size_t length = 0;
    std::vector<std::complex<double>> in{}, out{};
    std::vector<double> power{};
};

MeanAutocovariance::MeanAutocovariance() : transform_(std::make_unique<Transform>()) {}
MeanAutocovariance::~MeanAutocovariance()                                        = default;
MeanAutocovariance::MeanAutocovariance(MeanAutocovariance&&) noexcept            = default;
MeanAutocovariance& MeanAutocovariance::operator=(MeanAutocovariance&&) noexcept = default;

void MeanAutocovariance::begin(const ScalarDraws& chains)
{
    n_chains_ = chains.n_chains;
    n_draws_  = chains.n_draws;
    centred_.resize(chains.values.size());
    means_.resize(n_chains_);
    known_.clear();
    for (std::size_t m = 0; m < n_chains_; ++m) {
        const auto x = chains.chain(m);
        means_[m]    = lane_mean(x);
        for (std::size_t i = 0; i < n_draws_; ++i)
            centred_[m * n_draws_ + i] = x[i] - means_[m];
    }
}

double MeanAutocovariance::operator()(std::size_t lag)
{
    if (lag >= direct_lags && lag >= known_.size())
        transform();
    while (known_.size() <= lag) {
        const std::size_t t = known_.size();
        double sum          = 0;
        for (std::size_t m = 0; m < n_chains_; ++m) {
            const double* const x = centred_.data() + m * n_draws_;
            sum += lane_sum(n_draws_ - t, [=](std::size_t i) { return x[i] * x[i + t]; });
        }
        known_.push_back(sum / static_cast<double>(n_draws_) / static_cast<double>(n_chains_));
    }
    return known_[lag];
}

/// Wiener–Khinchin theorem: the autocovariance is the Fourier transform of the power spectrum. Zero
/// padding keeps the end of a chain from wrapping around to its start.
/// Two chains are transformed as one complex series z = x + iy: |X_k|² + |Y_k|² = (|Z_k|² +
/// |Z_{N−k}|²)/2.
void MeanAutocovariance::transform()
{
    Transform& t        = *transform_;
    const std::size_t N = transform_length(2 * n_draws_);
    if (N != t.length) {   // discard plans of other lengths, since chains grow during a run
        t.fft    = Eigen::FFT<double>();
        t.length = N;
    }
    t.in.assign(N, {});
    t.out.resize(N);
    t.power.assign(N, 0);
    for (std::size_t m = 0; m < n_chains_; m += 2) {
        const double* const x = centred_.data() + m * n_draws_;
        const double* const y = m + 1 < n_chains_ ? x + n_draws_ : nullptr;
        for (std::size_t i = 0; i < n_draws_; ++i)
            t.in[i] = {x[i], y ? y[i] : 0};
        t.fft.fwd(t.out.data(), t.in.data(), static_cast<Eigen::Index>(N));
        for (std::size_t k = 0; k < N; ++k)
            t.power[k] += std::norm(t.out[k]);
    }
    t.in[0] = t.power[0];
    for (std::size_t k = 1; k < N; ++k)
        t.in[k] = 0.5 * (t.power[k] + t.power[N - k]);
    t.fft.fwd(t.out.data(), t.in.data(),
              static_cast<Eigen::Index>(N));   // for an even series, the forward transform is N times the inverse
    const double scale = static_cast<double>(N) * static_cast<double>(n_draws_) * static_cast<double>(n_chains_);
    for (std::size_t lag = known_.size(); lag < n_draws_; ++lag)
        known_.push_back(t.out[lag].real() / scale);
}

std::vector<Autocorrelation> autocorrelations(const ScalarDraws& draws, std::size_t max_lag)
{
    draws.check();
    std::vector<Autocorrelation> out(draws.n_chains);
    MeanAutocovariance gamma;
    std::vector<double> scaled;
    for (std::size_t c = 0; c < draws.n_chains; ++c) {
        const ScalarDraws chain{draws.chain(c), 1, draws.n_draws};
        if (const auto refused = why_not_judged("Autocorrelation", chain, c)) {
            out[c].why_not = refused->why_not();
            continue;
        }
        const double factor = unit_factor(chain.values);
        scaled.resize(draws.n_draws);
        std::transform(chain.values.begin(), chain.values.end(), scaled.begin(), [=](double x) { return factor * x; });
        gamma.begin({scaled, 1, draws.n_draws});
        for (std::size_t t = 0; t <= std::min(max_lag, draws.n_draws - 1); ++t)
            out[c].rho.push_back(gamma(t) / gamma(0));
    }
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
        return {Undefined::stuck, "R̂: every half-chain is stuck at its own value, so R̂ is unbounded."};
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
    const double even = rho(2 * k), next = even + rho(2 * k + 1);
    const double tau = -1 + 2 * sum + (even > 0 || next >= 0 ? even : 0);
    return S / std::max(tau, 1 / std::log10(S));
}

double autocorrelation_time(const ScalarDraws& chains, MeanAutocovariance& gamma)
{
    gamma.begin(chains);
    const double gamma_0 = gamma(0);
    if (!(gamma_0 > 0))
        return 1;
    const auto rho  = [&](std::size_t t) { return t < chains.n_draws ? gamma(t) / gamma_0 : 0.0; };
    double sum      = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; 2 * k < chains.n_draws; ++k) {
        const double pair = rho(2 * k) + rho(2 * k + 1);
        if (!(pair > 0))
            break;
        smallest = std::min(smallest, pair);
        sum += smallest;
    }
    return std::max(1.0, -1 + 2 * sum);
}

DiagnosticValue probability_of_chain_means(const ScalarDraws& chains, MeanAutocovariance& work)
{
    const std::size_t M = chains.n_chains, n = chains.n_draws;
    if (M < 2)
        return {Undefined::too_few_draws, "Agreement: there is one chain, expected several."};
    const double tau    = autocorrelation_time(chains, work);
    const auto shortest = static_cast<std::size_t>(std::ceil(times_in_a_block * tau));
    const std::size_t b = std::min(n / shortest, most_blocks);
    if (b < fewest_blocks)
        return {Undefined::too_few_draws,
                "Agreement: each chain is worth " + number_text(static_cast<double>(n) / tau, 2)
                    + " independent draws, expected at least " + plain_text(times_in_a_block * fewest_blocks) + "."};
    const std::size_t length = n / b;
    const auto as_double     = [](std::size_t value) { return static_cast<double>(value); };
    std::vector<double> means(M);
    double within = 0, mean = 0;
    for (std::size_t m = 0; m < M; ++m) {
        std::vector<double> blocks(b);
        for (std::size_t j = 0; j < b; ++j) {
            for (const double x : chains.chain(m).subspan(j * length, length))
                blocks[j] += x / as_double(length);
            means[m] += blocks[j] / as_double(b);
        }
        for (const double block : blocks)
            within += (block - means[m]) * (block - means[m]);
        mean += means[m] / as_double(M);
    }
    double between = 0;
    for (const double of_chain : means)
        between += as_double(b) * (of_chain - mean) * (of_chain - mean);
    if (!(within > 0))
        return {Undefined::constant, "Agreement: the means of blocks do not vary."};
    const double of_means = as_double(M - 1), of_blocks = as_double(M * (b - 1));
    const boost::math::fisher_f distribution(of_means, of_blocks);
    return boost::math::cdf(boost::math::complement(distribution, (between / of_means) / (within / of_blocks)));
}

namespace {

DiagnosticValue e_bfmi_of_chain(std::span<const double> energies, std::size_t number)
{
    if (auto refused = why_not_judged("E-BFMI", {energies, 1, energies.size()}, number))
        return *refused;
    std::vector<double> E(energies.begin(), energies.end());
    const double factor = unit_factor(energies);   // the result is a ratio, so the unit is arbitrary
    for (double& energy : E)
        energy *= factor;
    const double steps = lane_sum(E.size() - 1, [&](std::size_t t) { return (E[t + 1] - E[t]) * (E[t + 1] - E[t]); });
    return steps / squares_about(lane_mean(E), E);
}

}   // namespace

DiagnosticValue e_bfmi(std::span<const double> energies) { return e_bfmi_of_chain(energies, 0); }

std::vector<DiagnosticValue> e_bfmi(const ScalarDraws& energies)
{
    energies.check();
    std::vector<DiagnosticValue> out;
    for (std::size_t c = 0; c < energies.n_chains; ++c)
        out.push_back(e_bfmi_of_chain(energies.chain(c), c));
    return out;
}

}   // namespace credence
