// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/logistic_normal.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "simplex/gamma_functions.h"
#include "simplex/laplace_bridge.h"
#include "simplex/logit_gaussian.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>
#include <numeric>
#include <string>

namespace credence {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using In   = Eigen::Map<const Rows>;
using InV  = Eigen::Map<const Eigen::VectorXd>;

constexpr double log_two_pi = 1.8378770664093454836;

void require_same_classes(int a, int b)
{
    if (a != b)
        throw Error("KL of distributions on the simplex: " + std::to_string(a) + " and " + std::to_string(b)
                    + " classes found, expected the same number.");
}

}   // namespace

LogisticNormal::LogisticNormal(LogitGaussian logits) : logits_(std::move(logits))
{
    const int n                     = n_classes() - 1;
    const std::vector<double> sigma = logits_.covariance();
    const auto at                   = [&](int k, int l) { return sigma[static_cast<std::size_t>(k) * (n + 1) + l]; };
    Rows c(n, n);
    for (int k = 0; k < n; ++k) {
        alr_mean_.push_back(logits_.mu()[k] - logits_.mu()[n]);
        for (int l = 0; l < n; ++l)
            c(k, l) = at(k, l) - at(k, n) - at(l, n) + at(n, n);
    }
    const Eigen::LLT<Eigen::MatrixXd> llt{Eigen::MatrixXd(c)};
    const Rows L         = llt.matrixL();
    const double largest = c.diagonal().size() > 0 ? c.diagonal().cwiseAbs().maxCoeff() : 0;
    for (int k = 0; k < n; ++k)
        if (llt.info() != Eigen::Success || !(L(k, k) * L(k, k) > 1e-14 * std::fabs(c(k, k))) || !(largest > 0))
            throw Error(
                "Distribution of softmax(z): the covariance of the differences of the logits is singular, expected a "
                "positive definite one.");
    const Rows inverse = L.triangularView<Eigen::Lower>().solve(Rows::Identity(n, n));
    alr_covariance_.assign(c.data(), c.data() + c.size());
    root_.assign(L.data(), L.data() + L.size());
    inverse_root_.assign(inverse.data(), inverse.data() + inverse.size());
    log_det_ = 2 * L.diagonal().array().log().sum();
}

double LogisticNormal::alr_entropy() const { return 0.5 * ((n_classes() - 1) * (1 + log_two_pi) + log_det_); }

double LogisticNormal::log_density_of_alr(std::span<const double> y) const
{
    const int n             = n_classes() - 1;
    const Eigen::VectorXd u = In(inverse_root_.data(), n, n).triangularView<Eigen::Lower>()
                              * (InV(y.data(), n) - InV(alr_mean_.data(), n));
    return -0.5 * (u.squaredNorm() + n * log_two_pi + log_det_);
}

double LogisticNormal::log_pdf_of_log(std::span<const double> log_probabilities) const
{
    const int n = n_classes() - 1;
    if (static_cast<int>(log_probabilities.size()) != n + 1)
        throw Error("Distribution of softmax(z): " + std::to_string(log_probabilities.size())
                    + " probabilities found, expected one per class for " + std::to_string(n + 1) + " classes.");
    std::vector<double> y(n);
    double sum = log_probabilities[n];
    if (std::isinf(sum))
        return -INFINITY;
    for (int k = 0; k < n; ++k) {
        if (std::isinf(log_probabilities[k]))
            return -INFINITY;
        y[k] = log_probabilities[k] - log_probabilities[n];
        sum += log_probabilities[k];
    }
    return log_density_of_alr(y) - sum;
}

double LogisticNormal::log_pdf(std::span<const double> probabilities) const
{
    std::vector<double> logs(probabilities.size());
    for (std::size_t k = 0; k < logs.size(); ++k) {
        if (!(probabilities[k] >= 0))
            throw Error("Distribution of softmax(z): the probability of class " + std::to_string(k) + " is "
                        + plain_text(probabilities[k]) + ", expected a number from 0 to 1.");
        logs[k] = std::log(probabilities[k]);
    }
    return log_pdf_of_log(logs);
}

std::vector<double> LogisticNormal::sample(NoiseKey key, int n_draws) const
{
    const int n = n_classes() - 1;
    std::vector<double> out(static_cast<std::size_t>(n_draws) * (n + 1));
    parallel_chunks(static_cast<std::size_t>(n_draws), 256, [&](std::size_t begin, std::size_t end) {
        std::vector<double> x(n), z(n + 1, 0);
        for (std::size_t i = begin; i < end; ++i) {
            standard_normals(key, i * n, std::span<double>(x));
            for (int k = 0; k < n; ++k) {
                z[k] = alr_mean_[k];
                for (int l = 0; l <= k; ++l)
                    z[k] += root_[static_cast<std::size_t>(k) * n + l] * x[l];
            }
            const std::vector<double> p = softmax(z);
            std::copy(p.begin(), p.end(), out.begin() + static_cast<std::ptrdiff_t>(i * (n + 1)));
        }
    });
    return out;
}

double kl_divergence(const LogisticNormal& p, const Dirichlet& q, const LogitExpectations& of_p)
{
    require_same_classes(p.n_classes(), q.n_classes());
    // ln B(α) − Σ α_k E ln π_k = [ln B(α) − Σ α_k ln m_k] + Σ α_k (ln m_k − ln s_k) + α_0 J, s =
    // softmax(μ), J the gap E lse(z) − lse(μ): the brackets are small where ln B and Σ α_k E ln π_k
    // cancel.
    const std::vector<double> log_m = q.log_mean(), &mu = p.logits().mu();
    const double lse = log_sum_exp(mu);
    const int K      = q.n_classes();
    double sum       = -p.alr_entropy() + 0.5 * (K - 1) * (log_two_pi - std::log(q.total()))
                 - gamma::stirling_remainder(q.total()) + q.total() * of_p.jensen_gap;
    double divergence = 0;   // KL(m ‖ s)
    for (int k = 0; k < K; ++k) {
        const double m = q.alpha()[k] / q.total(), log_s = mu[k] - lse, difference = log_s - log_m[k];
        // m (ln m − ln s) − m + s with s = m e^d: m (e^d − 1 − d)
        divergence += difference < 500 ? m * gamma::expm1_minus(difference) : std::exp(log_s) - m - m * difference;
        sum += gamma::stirling_remainder(q.alpha()[k]) - 0.5 * log_m[k];
    }
    return sum + q.total() * divergence;
}

double kl_divergence(const LogisticNormal& p, const Dirichlet& q)
{
    return kl_divergence(p, q, expectations(p.logits()));
}

double kl_divergence(const Dirichlet& q, const LogisticNormal& p)
{
    require_same_classes(p.n_classes(), q.n_classes());
    const int n      = q.n_classes() - 1;
    const auto e_log = q.expected_log();
    // −∫ q ln p = ½ [n ln 2π + ln det C + (ȳ − m)ᵀC⁻¹(ȳ − m) + tr C⁻¹Cov y], both densities for y:
    // the entropy of y is that of π minus Σ E ln π_k.
    std::vector<double> mean(n);
    double entropy_of_y = q.entropy() - e_log[n];
    for (int k = 0; k < n; ++k) {
        mean[k] = e_log[k] - e_log[n];
        entropy_of_y -= e_log[k];
    }
    Rows covariance = Rows::Constant(n, n, gamma::trigamma(q.alpha()[n]));
    for (int k = 0; k < n; ++k)
        covariance(k, k) += gamma::trigamma(q.alpha()[k]);
    const Rows C       = In(p.alr_covariance().data(), n, n);
    const double trace = Eigen::MatrixXd(C).llt().solve(Eigen::MatrixXd(covariance)).trace();
    return -entropy_of_y - p.log_density_of_alr(mean) + 0.5 * trace;
}

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

/// By quadrature over the product of the axes' nodes, `count` in all.
LogitExpectations by_quadrature(const LogitGaussian& logits, const LogitAxes& axes, const std::vector<AxisNodes>& nodes,
                                double count)
{
    const int K = logits.n_classes();
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

/// By sampling.
LogitExpectations by_samples(const LogitGaussian& logits, const LogitAxes& axes, const ExpectationOptions& options)
{
    const int K = logits.n_classes();
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
    const LogitAxes axes(logits);
    if (logits.n_classes() <= 4) {
        std::vector<AxisNodes> nodes;
        double count = 1;
        for (const LogitAxes::Axis& axis : axes.axes) {
            nodes.push_back(axis_nodes(axis));
            count *= static_cast<double>(nodes.back().position.size());
        }
        if (count <= static_cast<double>(options.most_nodes))
            return by_quadrature(logits, axes, nodes, count);
    }
    return by_samples(logits, axes, options);
}

}   // namespace credence
