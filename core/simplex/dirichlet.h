// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "random/noise.h"
#include "simplex/beta.h"

#include <span>
#include <vector>

namespace credence {

/// Dir(α): density Π π_k^(α_k − 1)/B(α) with respect to the first K − 1 coordinates of the simplex,
/// so the uniform distribution has density (K − 1)!. All functions are precise from α = 1e-6 to
/// 1e8: cancelling parts are removed analytically (gamma_functions.h). α_0 = Σ α. Formulas:
/// docs/maths.md, section 7.
class Dirichlet {
public:
    /// @param alpha  pseudo-counts [K], K >= 2. @throws Error if one is not a positive finite
    /// number, or their sum overflows
    explicit Dirichlet(std::vector<double> alpha);

    int n_classes() const { return static_cast<int>(alpha_.size()); }
    const std::vector<double>& alpha() const { return alpha_; }
    double total() const { return total_; }   ///< α_0
    double rest(int k) const;                 ///< α_0 − α_k, without cancellation

    std::vector<double> mean() const;                  ///< α_k/α_0 [K]
    std::vector<double> log_mean() const;              ///< ln(α_k/α_0) [K]
    std::vector<double> variance() const;              ///< α_k (α_0 − α_k)/(α_0² (α_0 + 1)) [K]
    std::vector<double> covariance() const;            ///< [K × K]
    std::vector<double> covariance_row(int k) const;   ///< [K]
    std::vector<double> mode() const;                  ///< (α_k − 1)/(α_0 − K) [K]; empty unless all α > 1
    std::vector<double> expected_log() const;          ///< E ln π_k = ψ(α_k) − ψ(α_0) [K]

    double log_beta() const;   ///< ln B(α) = Σ lnΓ(α_k) − lnΓ(α_0)
    /// @param probabilities  [K] >= 0, assumed to sum to 1. +∞ if a class with α_k < 1 has
    /// probability 0. @throws Error for another size
    double log_pdf(std::span<const double> probabilities) const;
    /// The same from ln π [K], for probabilities that underflow.
    double log_pdf_of_log(std::span<const double> log_probabilities) const;

    double entropy() const;           ///< differential, nats: −∫ p ln p over the first K − 1 coordinates
    double entropy_of_mean() const;   ///< H(E π), nats: total uncertainty
    double expected_categorical_entropy() const;   ///< E H(π), nats: aleatoric part
    double mutual_information() const;             ///< H(E π) − E H(π), nats: epistemic part, no cancellation

    Beta marginal(int k) const { return {alpha_[k], rest(k)}; }   ///< distribution of π_k
    /// Merges the classes of each group by adding their probabilities: exactly Dirichlet again
    /// (Hobbhahn 2020, (3.3)).
    /// @param group  [K], the group 0..G−1 of each class, every group used, G >= 2; @throws Error
    /// otherwise
    Dirichlet grouped(std::span<const int> group) const;
    /// Distribution among the given classes, π_k/Σ π_j: exactly Dirichlet again.
    /// @param classes  at least two different ones
    Dirichlet among(std::span<const int> classes) const;

    /// Samples [n × K], one Beta quantile per class and sample; sample i depends only on the key
    /// and i.
    std::vector<double> sample(NoiseKey key, int n) const;

private:
    std::vector<double> alpha_;
    double total_ = 0, rest_of_largest_ = 0;
    int largest_ = 0;
};

/// KL(Dir α ‖ Dir β), nats; 0 for equal ones, without cancellation for close or large ones. @throws
/// Error if they have different numbers of classes
double kl_divergence(const Dirichlet& alpha, const Dirichlet& beta);

/// Proposition 1 of Hobbhahn 2020: under the Laplace Bridge Var π_k grows with Var z_k if and only
/// if α_k exceeds this, a function of R = α_0 − α_k.
///     ¼ (√(9R² + 10R + 1) − R − 1) = 2R(R + 1)/(√(9R² + 10R + 1) + R + 1)
double proposition1_threshold(double rest);
/// Returns 1 for each class that satisfies the condition of Proposition 1 [K].
std::vector<char> proposition1_holds(const Dirichlet& distribution);

}   // namespace credence
