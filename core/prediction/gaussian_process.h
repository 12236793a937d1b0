// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/architecture.h"
#include "posterior/prior.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

// Exact Gaussian process regression over one input, two classes over several inputs, and the kernels that
// networks are compared with (docs/maths.md, section 8). All in double.

namespace credence {

/// Covariance of f at two inputs; f has mean 0.
using Kernel = std::function<double(double x, double y)>;

/// k(x, y) = A² exp(−(x − y)²/(2ℓ²)), ℓ the length scale, A the amplitude.
struct RbfKernel {
    double length_scale = 1, amplitude = 1;
    double operator()(double x, double y) const;
    double operator()(std::span<const double> x, std::span<const double> y) const;   ///< with |x − y|²
};

/// The kernel of a dense network as all hidden layers become infinitely wide, with the total
/// variance that each layer adds held fixed:
///
///     k¹(x, y)   = σ_b² + σ_w² x y                                       first layer
///     k^{l}(x, y) = σ_b² + n σ_w² E[φ(u) φ(v)],  (u, v) ~ N(0, k^{l−1})    layer l with n inputs
///
/// Source: Neal 1996, chapter 2, for the limit; Williams 1997 and Cho and Saul 2009 for the
/// expectations; Lee et al. 2018 and Matthews et al. 2018 for several layers
struct WidthLimitKernel {
    struct OfLayer {
        double weights = 1;   ///< the sum of the variances of a unit's weights: n σ_w²; first layer: σ_w²
        double biases  = 1;   ///< σ_b²
    };
    std::vector<OfLayer> layers;   ///< all layers with weights, at least one
    ActivationKind activation = ActivationKind::relu;

    double operator()(double x, double y) const;
    double operator()(std::span<const double> x, std::span<const double> y) const;   ///< with xᵀy

private:
    double after_all_layers(double xx, double xy, double yy) const;
};

/// E[φ(u) φ(v)] for a Gaussian (u, v) with mean 0 and covariance [k_uu, k_uv; k_uv, k_vv]:
///
///     relu      √(k_uu k_vv)/(2π) · (sin θ + (π − θ) cos θ),  cos θ = k_uv/√(k_uu k_vv)
///     erf(s·)   (2/π) asin(2 s² k_uv / √((1 + 2 s² k_uu)(1 + 2 s² k_vv)))
///     tanh      as erf(√π u/2), which has the same slope at 0 and differs by at most 0.036
///     sigmoid   (1 + tanh(u/2))/2, with that tanh
///     identity  k_uv
///
/// @throws Error for other activations, see why_no_width_limit
double expected_product(ActivationKind activation, double k_uu, double k_uv, double k_vv);

/// Why a network has no WidthLimitKernel: layers other than dense ones, an activation without a
/// closed form, or a prior that is not a Gaussian with mean 0. Empty: it has one.
std::optional<std::string> why_no_width_limit(const Architecture& architecture, const Prior& prior);
/// @pre why_no_width_limit is empty
WidthLimitKernel width_limit(const Architecture& architecture, const Prior& prior);

/// Regression y = f(x) + s e with a Gaussian process prior on f, by a Cholesky decomposition:
///
///     mean(x*) = k*ᵀ C⁻¹ y,   var(x*) = k(x*, x*) − k*ᵀ C⁻¹ k*,   C = K + s² I
///     ln p(y)  = −½ yᵀ C⁻¹ y − ½ ln det C − (n/2) ln 2π
class GaussianProcess {
public:
    /// @param x, y      [n], n >= 1
    /// @param noise_sd  s >= 0
    /// @throws Error    if a number is not finite, or C is not positive definite with any jitter up to 1e-6 of its
    /// mean diagonal
    GaussianProcess(Kernel kernel, std::span<const double> x, std::span<const double> y, double noise_sd);
    ~GaussianProcess();
    GaussianProcess(GaussianProcess&&) noexcept;
    GaussianProcess& operator=(GaussianProcess&&) noexcept;

    double log_marginal_likelihood() const { return log_marginal_likelihood_; }   ///< nats

    struct Prediction {
        std::vector<double> mean, sd;   ///< of f, without noise
    };
    Prediction at(std::span<const double> x) const;

private:
    struct Factor;
    Kernel kernel_;
    std::vector<double> x_;
    std::unique_ptr<const Factor> factor_;
    double log_marginal_likelihood_ = 0;
};

/// The RBF kernel with the largest log marginal likelihood: the best point of a coarse grid, refined
/// by a search in (ln ℓ, ln A) to steps below 1e-4. Length scales from a thousandth of the inputs'
/// range to ten ranges; amplitudes from a hundredth to a hundred times the root mean square of y.
/// @return  empty: stopped
std::optional<RbfKernel> fitted_rbf(std::span<const double> x, std::span<const double> y, double noise_sd,
                                    const std::stop_token& stop = {});

/// Covariance of f at two inputs of d numbers each; f has mean 0.
using VectorKernel = std::function<double(std::span<const double> x, std::span<const double> y)>;

/// Two classes: p(class 1 | x) = σ(f(x)) with a Gaussian process prior on f, in the Laplace approximation. f̂ maximises
/// Σ ln p(y_i | f_i) − ½ fᵀ K⁻¹ f, W = diag(σ(f̂)(1 − σ(f̂))), and
///
///     mean(x*) = k*ᵀ ∇ ln p(y | f̂),   var(x*) = k(x*, x*) − k*ᵀ (K + W⁻¹)⁻¹ k*
///     p(class 1 | x*) ≈ σ(mean/√(1 + π var/8))
///     ln p(y) ≈ Σ ln p(y_i | f̂_i) − ½ f̂ᵀ K⁻¹ f̂ − ½ ln det(I + W^½ K W^½)
///
/// Source: Rasmussen and Williams 2006, algorithms 3.1 and 3.2; MacKay 1992 for the probability
class GaussianProcessClassifier {
public:
    /// @param x       [n × d], n >= 1
    /// @param labels  [n], 0 or 1
    /// @throws Error  if a covariance is not finite
    GaussianProcessClassifier(VectorKernel kernel, std::span<const double> x, std::size_t d,
                              std::span<const int> labels);
    ~GaussianProcessClassifier();
    GaussianProcessClassifier(GaussianProcessClassifier&&) noexcept;

    double log_marginal_likelihood() const { return log_marginal_likelihood_; }   ///< nats, approximate
    const std::vector<double>& mode() const { return mode_; }                     ///< f̂ [n]
    /// Of class 1 at each input [m × d]. Empty: stopped.
    std::vector<double> probabilities(std::span<const double> x, const std::stop_token& stop = {}) const;

private:
    struct Factor;
    VectorKernel kernel_;
    std::size_t d_;
    std::vector<double> x_, mode_;
    std::unique_ptr<const Factor> factor_;
    double log_marginal_likelihood_ = 0;
};

/// The RBF kernel with the largest log marginal likelihood of the classifier on a grid: length scales from a
/// twentieth of the largest distance of the inputs from their mean to twice that, amplitudes from 1 to 16.
/// @return  empty: stopped
std::optional<RbfKernel> fitted_rbf_of_classes(std::span<const double> x, std::size_t d, std::span<const int> labels,
                                               const std::stop_token& stop = {});

}   // namespace credence
