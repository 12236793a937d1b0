// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "network/architecture.h"
#include "posterior/options.h"

#include <memory>
#include <span>
#include <vector>

namespace credence {

/// The eigendecomposition of one Kronecker factor B ⊗ A for weights [out × in], stored
/// output-major. A is the mean of āāᵀ over the data (convolutions: over data and patch positions).
/// B is the sum over the data (and positions) of (∂z/∂s)ᵀ Λ (∂z/∂s), as in Grosse and Martens 2016
/// (arXiv:1602.01407) with the number of positions in B. A convolution with one position is a dense
/// layer.
struct KroneckerFactor {
    int layer = 0;         ///< 0-based among the layers with weights
    int out = 0, in = 0;   ///< `in` includes the bias
    int n_weights = 0;   ///< weights per output in the block: in, in − 1 with a bias, or 0 for a block of biases only
    bool has_bias = false;     ///< the last column is the bias
    std::size_t weights = 0;   ///< start of the layer's weights in the flat vector
    std::size_t biases  = 0;
    std::vector<double> a_values, a_vectors;   ///< [in], [in × in] one eigenvector per row
    std::vector<double> b_values, b_vectors;   ///< [out], [out × out] one eigenvector per row
    bool operator==(const KroneckerFactor&) const = default;
};

/// A curvature as plain data, to be stored and restored bit for bit.
struct CurvatureData {
    CurvatureOptions options;
    ParameterLayout layout;
    std::size_t first_weight = 0;   ///< weights from here on are covered; the others are fixed
    std::vector<double> map;        ///< θ_MAP [layout.size()]
    double nll  = 0;                ///< Σ −ln p(y | x, θ_MAP), nats
    long n_data = 0;
    std::vector<double> diagonal;             ///< structure diagonal [covered]
    std::vector<KroneckerFactor> kronecker;   ///< structure kronecker
    std::vector<double> eigenvalues;          ///< structure full [r]; other directions have curvature 0
    std::vector<double>
        eigenvectors;   ///< full [r × covered], one per row; empty if there are too many, then only in float
    std::vector<float> eigenvectors_float;   ///< full [r × covered]
    bool operator==(const CurvatureData&) const = default;

    std::size_t covered() const { return layout.size() - first_weight; }
};

/// Curvature at θ_MAP, decomposed so that changing the prior precision λ costs O(P). Immutable,
/// shared.
class Curvature {
public:
    explicit Curvature(CurvatureData data);

    const CurvatureData& data() const { return data_; }
    const CurvatureOptions& options() const { return data_.options; }
    const ParameterLayout& layout() const { return data_.layout; }
    std::size_t first_weight() const { return data_.first_weight; }
    std::size_t covered() const { return data_.covered(); }   ///< number of uncertain weights, P in the formulas
    double nll() const { return data_.nll; }                  ///< summed over the training data, nats
    long n_data() const { return data_.n_data; }

    /// ln p(D) ≈ −nll − ½ λ‖θ‖² + ½ P ln λ − ½ ln det(C + λI), nats, over the uncertain weights
    /// (docs/maths.md, section 5). −∞ if C + λI is not positive definite.
    double log_evidence(double precision) const;
    /// Returns the λ in [1e-6, 1e8] that maximises the evidence; a boundary of that range if the
    /// evidence still increases there.
    /// @throws Error if C + λI is positive definite for no λ in the range
    double best_precision() const;
    /// ln det(C + λI); −∞ if it is not positive definite.
    double log_determinant(double precision) const;
    /// The smallest eigenvalue of C: negative only for exact Hessians. λ must exceed its negative.
    double smallest_eigenvalue() const { return smallest_; }

    /// Eigenvectors of the Kronecker factors in T, computed once: [factors], see KroneckerFactor.
    struct FloatFactor {
        aligned_vector<float> a_vectors, b_vectors;
    };
    const std::vector<FloatFactor>& float_factors() const { return float_factors_; }

private:
    CurvatureData data_;
    std::vector<FloatFactor> float_factors_;
    double smallest_ = 0, squared_norm_ = 0;   // ‖θ‖² of the uncertain weights
};

/// Precision of the weights along eigenvector (o, i) of a factor.
///     joint, split: b_o a_i + λ;  square root: (b_o/√N + √λ)(√N a_i + √λ)
inline double kronecker_precision(KroneckerForm form, double b, double a, double precision, double sqrt_n,
                                  double sqrt_precision)
{
    return form == KroneckerForm::square_root ? (b / sqrt_n + sqrt_precision) * (sqrt_n * a + sqrt_precision)
                                              : b * a + precision;
}

}   // namespace credence
