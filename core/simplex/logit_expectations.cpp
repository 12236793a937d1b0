// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "foundation/parallel.h"
#include "simplex/gamma_functions.h"
#include "simplex/laplace_bridge.h"
#include "simplex/logistic_normal.h"
#include "simplex/logit_nodes.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

namespace credence {

namespace {

/// Weighted sums over nodes; the sum of one chunk of nodes.
struct Sums {
    explicit Sums(int K) : mean(K, 0), second(static_cast<std::size_t>(K) * K, 0) {}
    double weight = 0, gap = 0, gap_squared = 0, entropy = 0;
    std::vector<double> mean, second;   ///< Σ w (π − s), Σ w (π − s)(π − s)ᵀ

    void add(const Sums& other)
    {
        weight += other.weight;
        gap += other.gap;
        gap_squared += other.gap_squared;
        entropy += other.entropy;
        for (std::size_t k = 0; k < mean.size(); ++k)
            mean[k] += other.mean[k];
        for (std::size_t k = 0; k < second.size(); ++k)
            second[k] += other.second[k];
    }
};

/// One node: z = μ + δ. With s = softmax(μ) and δ' = δ − sᵀδ, lse(z) − lse(μ) − sᵀδ = ln Σ s_k
/// e^{δ'_k} = ln(1 + Σ s_k (e^{δ'_k} − 1 − δ'_k)): every term is positive, so nothing cancels. The
/// omitted sᵀδ vanishes for symmetric nodes.
class NodeTerms {
public:
    explicit NodeTerms(const std::vector<double>& mu)
        : s_(softmax(mu)), log_s_(mu), shifted_(mu.size()), change_(mu.size())
    {
        const double lse = log_sum_exp(mu);
        for (double& v : log_s_)
            v -= lse;
    }
    double gap(const double* delta)
    {
        const std::size_t K = s_.size();
        double centre       = 0;
        for (std::size_t k = 0; k < K; ++k)
            centre += s_[k] * delta[k];
        double excess = 0, largest = 0;
        for (std::size_t k = 0; k < K; ++k) {
            shifted_[k] = delta[k] - centre;
            largest     = std::max(largest, std::fabs(shifted_[k]));
        }
        if (largest < 1) {
            for (std::size_t k = 0; k < K; ++k)
                excess += s_[k] * gamma::expm1_minus(shifted_[k]);
            return gap_ = std::log1p(excess);
        }
        double high = -INFINITY;
        for (std::size_t k = 0; k < K; ++k)
            high = std::max(high, log_s_[k] + shifted_[k]);
        for (std::size_t k = 0; k < K; ++k)
            excess += std::exp(log_s_[k] + shifted_[k] - high);
        return gap_ = high + std::log(excess);
    }
    /// After `gap`: all sums.
    void add(Sums& sums, double w)
    {
        const std::size_t K = s_.size();
        sums.weight += w;
        sums.gap += w * gap_;
        sums.gap_squared += w * gap_ * gap_;
        double entropy = 0;
        for (std::size_t k = 0; k < K; ++k) {
            const double log_ratio = shifted_[k] - gap_;   // ln π_k/s_k
            const double log_p = log_s_[k] + log_ratio, p = std::exp(log_p);
            entropy -= p * log_p;
            change_[k] = std::fabs(log_ratio) < 1 ? s_[k] * std::expm1(log_ratio) : p - s_[k];
        }
        sums.entropy += w * entropy;
        for (std::size_t k = 0; k < K; ++k) {
            sums.mean[k] += w * change_[k];
            for (std::size_t l = 0; l <= k; ++l)
                sums.second[k * K + l] += w * change_[k] * change_[l];
        }
    }
    const std::vector<double>& s() const { return s_; }

private:
    std::vector<double> s_, log_s_, shifted_, change_;
    double gap_ = 0;
};

/// Adds `n_chunks` partial sums in order, independent of the number of threads.
template <class MakeChunk>
Sums sum_in_order(int K, std::size_t n_chunks, const MakeChunk& make)
{
    std::vector<Sums> parts(n_chunks, Sums(K));
    parallel_for(n_chunks, [&](std::size_t c) { make(c, parts[c]); });
    Sums total(K);
    for (const Sums& part : parts)
        total.add(part);
    return total;
}

LogitExpectations finished(const LogitGaussian& logits, const Sums& sums)
{
    const auto& mu      = logits.mu();
    const std::size_t K = mu.size();
    LogitExpectations out;
    out.mean = softmax(mu);
    out.covariance.resize(K * K);
    const double w = sums.weight;
    for (std::size_t k = 0; k < K; ++k) {
        out.mean[k] += sums.mean[k] / w;
        for (std::size_t l = 0; l <= k; ++l)
            out.covariance[k * K + l] = out.covariance[l * K + k] = sums.second[k * K + l] / w
                                                                    - sums.mean[k] / w * (sums.mean[l] / w);
    }
    out.expected_categorical_entropy = sums.entropy / w;
    out.jensen_gap                   = sums.gap / w;
    out.e_logsumexp                  = log_sum_exp(mu) + out.jensen_gap;
    const double lse                 = log_sum_exp(mu);
    for (const double m : mu)
        out.expected_log.push_back(m - lse - out.jensen_gap);
    return out;
}

}   // namespace

std::vector<double> LogitExpectations::variance() const
{
    std::vector<double> v(mean.size());
    for (std::size_t k = 0; k < v.size(); ++k)
        v[k] = covariance[k * v.size() + k];
    return v;
}

LogitExpectations expectations(const LogitGaussian& logits, const ExpectationOptions& options)
{
    const int K = logits.n_classes();
    const LogitAxes axes(logits);
    if (K <= 4) {
        std::vector<AxisNodes> nodes;
        double count = 1;
        for (const LogitAxes::Axis& axis : axes.axes) {
            nodes.push_back(axis_nodes(axis));
            count *= static_cast<double>(nodes.back().position.size());
        }
        if (count <= static_cast<double>(options.most_nodes)) {
            // chunks are rows of nodes: all axes except the last, which is traversed inside
            const std::size_t last      = nodes.empty() ? 1 : nodes.back().position.size();
            const auto n_rows           = static_cast<std::size_t>(count) / last;
            const std::size_t rows_each = std::max<std::size_t>(1, 2048 / last);
            const Sums sums = sum_in_order(K, (n_rows + rows_each - 1) / rows_each, [&](std::size_t chunk, Sums& part) {
                NodeTerms terms(logits.mu());
                std::vector<double> delta(K), base(K);
                for (std::size_t row = chunk * rows_each; row < std::min(n_rows, (chunk + 1) * rows_each); ++row) {
                    std::fill(base.begin(), base.end(), 0.0);
                    double weight     = 1;
                    std::size_t place = row;
                    for (std::size_t a = 0; a + 1 < nodes.size(); ++a) {
                        const std::size_t i = place % nodes[a].position.size();
                        place /= nodes[a].position.size();
                        weight *= nodes[a].weight[i];
                        for (int k = 0; k < K; ++k)
                            base[k] += nodes[a].position[i] * axes.axes[a].direction[k];
                    }
                    for (std::size_t i = 0; i < last; ++i) {
                        double w = weight;
                        delta    = base;
                        if (!nodes.empty()) {
                            w *= nodes.back().weight[i];
                            for (int k = 0; k < K; ++k)
                                delta[k] += nodes.back().position[i] * axes.axes.back().direction[k];
                        }
                        terms.gap(delta.data());
                        terms.add(part, w);
                    }
                }
            });
            return finished(logits, sums);
        }
    }
    // Pairs z, 2μ − z: odd terms in z − μ cancel exactly.
    constexpr std::size_t chunk = 1024;
    const auto n                = static_cast<std::size_t>(std::max(2, options.n_draws));
    const std::size_t dimension = axes.axes.size();
    double squared = 0, mean = 0;
    std::vector<double> pair_squares((n + chunk - 1) / chunk, 0);
    const Sums sums       = sum_in_order(K, (n + chunk - 1) / chunk, [&](std::size_t c, Sums& part) {
        NodeTerms terms(logits.mu());
        std::vector<double> x(dimension), delta(K);
        for (std::size_t i = c * chunk; i < std::min(n, (c + 1) * chunk); ++i) {
            standard_normals(NoiseKey{.seed = options.seed, .stream = Stream::logits, .index = 0}, i * dimension,
                                   std::span<double>(x));
            double pair = 0;
            for (const double sign : {1.0, -1.0}) {
                std::fill(delta.begin(), delta.end(), 0.0);
                for (std::size_t a = 0; a < dimension; ++a)
                    for (int k = 0; k < K; ++k)
                        delta[k] += sign * x[a] * axes.axes[a].direction[k];
                pair += 0.5 * terms.gap(delta.data());
                terms.add(part, 0.5);
            }
            pair_squares[c] += pair * pair;
        }
    });
    LogitExpectations out = finished(logits, sums);
    for (const double s : pair_squares)
        squared += s / static_cast<double>(n);
    mean               = out.jensen_gap;
    out.standard_error = std::sqrt(std::max(0.0, squared - mean * mean) / static_cast<double>(n));
    return out;
}

}   // namespace credence
