// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "random/noise.h"
#include "simplex/dirichlet.h"
#include "simplex/logit_gaussian.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

/// The distribution of π = softmax(z), z ~ N(μ, Σ), with its density in closed form (Hobbhahn 2020,
/// section 5.3, assumes there is none; docs/maths.md, section 7):
///     y_k = ln(π_k/π_K) ~ N(Aμ, AΣAᵀ), A = [I, −1]
///     p(π) = N(y; Aμ, AΣAᵀ)/Π_k π_k  with respect to the first K − 1 coordinates
/// The density does not depend on the reference class. Standard deviations of the logits from 1e-3
/// to 1e2.
class LogisticNormal {
public:
    /// @throws Error if AΣAᵀ is singular: the distribution is then degenerate and has no density
    explicit LogisticNormal(LogitGaussian logits);

    int n_classes() const { return logits_.n_classes(); }
    const LogitGaussian& logits() const { return logits_; }
    const std::vector<double>& alr_mean() const { return alr_mean_; }               ///< Aμ [K − 1]
    const std::vector<double>& alr_covariance() const { return alr_covariance_; }   ///< AΣAᵀ [(K − 1) × (K − 1)]
    double alr_entropy() const;   ///< ½ ln det(2πe AΣAᵀ), nats: differential entropy of y

    /// @param probabilities  [K] >= 0; −∞ on the boundary of the simplex
    double log_pdf(std::span<const double> probabilities) const;
    double log_pdf_of_log(std::span<const double> log_probabilities) const;
    /// ln N(y; Aμ, AΣAᵀ), the density of y itself. @param y  [K − 1]
    double log_density_of_alr(std::span<const double> y) const;

    /// Samples of π [n × K]; sample i depends only on the key and i.
    std::vector<double> sample(NoiseKey key, int n) const;

    /// Distribution among the given classes: exactly logistic-normal again.
    LogisticNormal among(std::span<const int> classes) const { return LogisticNormal(logits_.among(classes)); }

private:
    LogitGaussian logits_;
    std::vector<double> alr_mean_, alr_covariance_;
    std::vector<double> inverse_root_;   ///< L^{-1} of AΣAᵀ = L Lᵀ [(K − 1) × (K − 1)]
    std::vector<double> root_;           ///< L
    double log_det_ = 0;                 ///< ln det AΣAᵀ
};

/// Expectations under π = softmax(z).
struct LogitExpectations {
    std::vector<double> mean;                  ///< E π [K]
    std::vector<double> covariance;            ///< Cov π [K × K]
    double expected_categorical_entropy = 0;   ///< E H(π), nats
    double jensen_gap  = 0;             ///< E ln Σ e^z − ln Σ e^μ >= 0, to full relative precision for small Σ
    double e_logsumexp = 0;             ///< E ln Σ e^z
    std::vector<double> expected_log;   ///< E ln π_k = μ_k − E ln Σ e^z [K]
    double standard_error = 0;          ///< of e_logsumexp; 0 for quadrature

    std::vector<double> variance() const;   ///< diagonal of the covariance [K]
};
struct ExpectationOptions {
    long most_nodes    = 100'000'000;   ///< of the product rule, used for K <= 4; otherwise sampling
    int n_draws        = 100'000;       ///< pairs z, 2μ − z
    std::uint64_t seed = 1;
};
/// For K <= 4, the trapezoidal rule on ±9 standard deviations along the principal axes, with steps
/// that resolve both the Gaussian and the nearest singularity of ln Σ e^z, error about 1e-14;
/// otherwise antithetic sampling. @throws Error if cancelled by `stop`
LogitExpectations expectations(const LogitGaussian& logits, const ExpectationOptions& options = {});

/// KL(p ‖ Dir α) = −½ ln det(2πe AΣAᵀ) − lnΓ(α_0) + Σ lnΓ(α_k) − Σ α_k E ln π_k, nats, from E ln π.
/// @throws Error if the numbers of classes differ
double kl_divergence(const LogisticNormal& p, const Dirichlet& q, const LogitExpectations& of_p);
double kl_divergence(const LogisticNormal& p, const Dirichlet& q);
/// KL(Dir α ‖ p) in closed form: y has mean ψ(α_k) − ψ(α_K) and covariance δ_kl ψ'(α_k) + ψ'(α_K)
/// under the Dirichlet.
double kl_divergence(const Dirichlet& q, const LogisticNormal& p);

/// Computes what the bridge approximates: the mean of softmax(z) over samples z ~ N(μ, Σ), for many
/// Gaussians with full covariances. Single precision, vectorised over the samples, on all threads.
/// The samples of row i, and so the result, are a pure function of (seed, i).
/// @param mu          [N × K]
/// @param covariance  [N × K × K], symmetric, positive semidefinite
/// @param mean        [N × K], out
/// @throws Error naming the row whose covariance is not positive semidefinite, or if sizes do not
/// match
void softmax_mean_by_draws(int n_classes, std::span<const float> mu, std::span<const float> covariance, int n_draws,
                           std::uint64_t seed, std::span<float> mean);

}   // namespace credence
