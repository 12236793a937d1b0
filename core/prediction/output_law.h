// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"

#include <cstddef>
#include <span>

namespace credence {

/// How the outputs z = W x + b of a dense layer vary together, given x, where weights are Gaussian and correlated with their neighbours in storage order at most:
///
///     E z_o = Σ_i m_oi x_i + m_o,        a_oi = s_oi x_i,  s standard deviations,  n inputs
///     Var z_o = Σ_i a_oi² + 2ρ Σ_{i<n} a_oi a_o,i+1 + s_o²
///             = (1 − 2|ρ|) Σ_i a_oi² + |ρ| (a_o1² + a_on² + Σ_{i<n} (a_oi + sgn(ρ) a_o,i+1)²) + s_o²,   no term below 0
///     Cov(z_o, z_{o+1}) = ρ a_on a_{o+1,1} + ρ_b s_o s_{o+1},   0 for units farther apart
///
/// The z are Gaussian, so that this is their law: exact, for any activations below and above.
/// Source: docs/maths.md, section 8; for ρ = 0 Kingma, Salimans and Welling 2015
class DenseOutputLaw {
public:
    /// Of one block of a layer, in storage order.
    struct Weights {
        std::span<const float> mean, sd;
        double rho = 0;   ///< correlation of neighbours
    };
    /// @param weights  [out × in], neuron by neuron
    DenseOutputLaw(int in, int out, const Weights& weights, const Weights& biases);

    int in() const { return in_; }
    int out() const { return out_; }

    /// Of some rows of inputs; memory that grows when it must.
    struct Moments {
        std::ptrdiff_t row = 0;   ///< from one row of the three to the next
        aligned_vector<float> mean, sd,
            covariance;   ///< [rows × row]; with correlations sd is the variance, covariance that with the next unit; else covariance is not used
        aligned_vector<float> squares;   // of the inputs
    };
    /// Each number is one sum in the order of the inputs, whatever the rows are. On the caller's thread.
    /// @param x  [rows × in]
    void moments(const float* x, int rows, Moments& moments) const;

    /// Draws the outputs of one row.
    /// @param noise  standard normal [out]
    void draw(const Moments& moments, int row, const float* noise, float* z) const;

private:
    void correlated_variances(const float* x, float* variance, float* covariance) const;

    int in_, out_;
    std::ptrdiff_t row_;
    float rho_, bias_rho_;
    bool correlated_;
    aligned_vector<float> mean_, spread_;   // transposed, [in × row]; spread: s², or s where ρ ≠ 0
    aligned_vector<float> bias_mean_, bias_sd_;
};

}   // namespace credence
