// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/logistic_normal.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "simplex/gamma_functions.h"
#include "simplex/laplace_bridge.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numbers>
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

}   // namespace credence
