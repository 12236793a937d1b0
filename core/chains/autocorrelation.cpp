// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/autocorrelation.h"

#include "chains/chain_diagnostics.h"
#include "chains/scalar_draws.h"

#include <unsupported/Eigen/FFT>

#include <algorithm>
#include <complex>
#include <numeric>

namespace credence {

namespace {

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

}   // namespace credence
