// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "training/snapshot.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace credence {

/// Can the outputs of dense layers be drawn in place of their weights? Yes, where Posterior::neighbour_correlations says all and the net is not linearised.
bool has_output_law(const Model& model, const Posterior& posterior);

/// Draws the outputs for one input, exactly in the law of for_each_draw (draw_loop.h) and not its numbers: weights are drawn in convolutions alone, just before
/// their product; what a dense layer puts out is drawn given what enters (output_law.h). Draw s is a pure function of (seed, s) and the input, for any number of threads;
/// draw s of another input is no draw of the same weights.
/// Calls read(first draw, outputs [draws × k]) for some draws at a time, on all threads. Returns false if it was stopped. Tells the share that is done.
/// @param model, posterior  has_output_law
/// @param input             standardised [d]
bool for_each_output_draw(const Model& model, const Posterior& posterior, std::uint64_t seed, int n_samples,
                          std::span<const float> input, const std::stop_token& stop,
                          function_ref<void(int first_draw, std::span<const float> outputs)> read);

}   // namespace credence
