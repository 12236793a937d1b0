// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/function_ref.h"
#include "training/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

namespace credence {

/// Joint distribution of the outputs z = W x + b of a dense layer, given x, for Gaussian weights
/// that are correlated at most with their neighbours in storage order:
///
///     E z_o = Σ_i m_oi x_i + m_o,        a_oi = s_oi x_i,  s standard deviations,  n inputs
///     Var z_o = Σ_i a_oi² + 2ρ Σ_{i<n} a_oi a_o,i+1 + s_o²
///             = (1 − 2|ρ|) Σ_i a_oi² + |ρ| (a_o1² + a_on² + Σ_{i<n} (a_oi + sgn(ρ) a_o,i+1)²) + s_o²,
///               no term below 0
///     Cov(z_o, z_{o+1}) = ρ a_on a_{o+1,1} + ρ_b s_o s_{o+1},   0 for units farther apart
///
/// The z are Gaussian, so this is their exact distribution, for any activations before and after.
/// Source: docs/maths.md, section 8; for ρ = 0 Kingma, Salimans and Welling 2015
class DenseOutputDistribution {
public:
    /// Inputs per call: the lanes of a vector.
    static constexpr int most_rows = 16;

    /// The weights of one block of a layer, in storage order, borrowed.
    struct Weights {
        std::span<const float> mean;
        std::span<float> sd;   ///< standard deviations; squared in place for weights without correlations
        double rho = 0;        ///< correlation of neighbours
    };
    /// @param weights  [out × in], neuron by neuron
    DenseOutputDistribution(int in, int out, const Weights& weights, const Weights& biases);

    int in() const { return in_; }
    int out() const { return out_; }

    /// Moments for some rows of inputs, row by row in the lanes of [out × most_rows]; the memory
    /// grows as needed.
    struct Moments {
        aligned_vector<float> mean;
        aligned_vector<float> spread;       ///< standard deviations; with correlations variances
        aligned_vector<float> covariance;   ///< with the next unit, only with correlations
        aligned_vector<float> inputs, squares;
    };
    /// Each value is one sum in the order of the inputs, independent of the other rows. On the
    /// caller's thread.
    /// @param x  [rows × in], at most most_rows
    void moments(const float* x, int rows, Moments& moments) const;

    /// Samples the outputs of one row.
    /// @param noise  standard normal [out]
    void draw(const Moments& moments, int row, const float* noise, float* z) const;

private:
    void correlated_variances(const float* lanes_of_inputs, Moments& moments) const;

    int in_, out_;
    float rho_, bias_rho_;
    bool correlated_;
    std::span<const float> mean_, spread_;   // spread: s², with correlations s
    std::span<const float> bias_mean_, bias_sd_;
};

/// True if the outputs of dense layers can be sampled instead of their weights:
/// Posterior::neighbour_correlations determines the distribution and the network is not linearised.
bool has_output_distribution(const Model& model, const Posterior& posterior);

/// Samples the outputs for one input. The distribution is exactly that of for_each_draw
/// (draw_loop.h), but the numbers differ: weights are sampled for convolutions only, just before
/// their product, and the outputs of a dense layer are sampled given its inputs
/// (DenseOutputDistribution). Sample s is a pure function of (seed, s) and the input, for any
/// number of threads; sample s of another input does not have the same weights.
/// Calls read(first draw, outputs [draws × k]) for a few samples at a time, on all threads. Returns
/// false if it was stopped. Reports the finished share.
/// @param model, posterior  with has_output_distribution
/// @param input             standardised [d]
bool for_each_output_draw(const Model& model, const Posterior& posterior, std::uint64_t seed, int n_samples,
                          std::span<const float> input, const std::stop_token& stop,
                          function_ref<void(int first_draw, std::span<const float> outputs)> read);

}   // namespace credence
