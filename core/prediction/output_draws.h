// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "training/snapshot.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace credence {

/// True if the outputs of dense layers can be sampled instead of their weights:
/// Posterior::neighbour_correlations determines the distribution and the network is not linearised.
bool has_output_law(const Model& model, const Posterior& posterior);

/// Samples the outputs for one input from exactly the distribution of for_each_draw (draw_loop.h),
/// but with other numbers: weights are sampled for convolutions only, just before
/// their product; the outputs of a dense layer are sampled given its inputs (output_law.h). Sample
/// s is a pure function of (seed, s) and the input, for any number of threads;
/// sample s of another input does not have the same weights.
/// Calls read(first draw, outputs [draws × k]) for some samples at a time, on all threads. Returns
/// false if it was stopped. Reports the finished share.
/// @param model, posterior  with has_output_law
/// @param input             standardised [d]
bool for_each_output_draw(const Model& model, const Posterior& posterior, std::uint64_t seed, int n_samples,
                          std::span<const float> input, const std::stop_token& stop,
                          function_ref<void(int first_draw, std::span<const float> outputs)> read);

}   // namespace credence
