// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/posterior.h"
#include "training/snapshot.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

/// The uncertainty of the prediction at one input, nats, and its derivatives by the inputs, per
/// standardised input [d], in double:
///
///     total H(p̄) = −Σ_k p̄_k ln p̄_k,  p̄ = (1/S) Σ_s p_s      ∂H/∂z_s = (1/S) p_s ⊙ (g − ⟨g, p_s⟩),  g = −ln p̄
///     aleatoric A = (1/S) Σ_s H(p_s)                         ∂A/∂z_s = (1/S) p_s ⊙ (a_s − ⟨a_s, p_s⟩),  a_s = −ln p_s
///     epistemic H − A
///
/// with the logits z_s of weight sample s, whose derivatives by the input come from
/// Network::backward.
struct UncertaintyGradients {
    double total = 0, aleatoric = 0;
    std::vector<double> total_gradient, aleatoric_gradient;

    double epistemic() const { return total - aleatoric; }
    std::vector<double> epistemic_gradient() const;
};

/// Uses the weight samples (and dropout masks) of PosteriorPredictive for one input. Networks that
/// are linearised for predictions are evaluated with sampled weights instead.
/// @param input  standardised [d]
/// @return       empty: stopped
/// @throws Error if the network has no classes
std::optional<UncertaintyGradients> uncertainty_gradients(const Model& model, const Posterior& posterior,
                                                          std::uint64_t seed, int n_samples,
                                                          std::span<const double> input,
                                                          const std::stop_token& stop = {});

}   // namespace credence
