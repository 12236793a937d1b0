// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "training/snapshot.h"

#include <span>
#include <stop_token>

namespace credence {

inline constexpr int draws_at_once = 16;      ///< of one group: held in memory together
inline constexpr int rows_at_most  = 16384;   ///< of the inputs between two reductions

/// Draws of the weights (and of dropout masks), pushed through the network, or where the Model says so through the one linearised at their mean.
/// Calls read(draw, first row, outputs of the network [rows × k]) for every draw and every piece of the inputs, on all threads; after each group of draws and rows
/// reduced(first draw, draws, first row, rows) runs alone. Returns false if it was stopped, as soon as the pieces at work are done. Draw s is a pure function of (seed, s).
/// Tells the share of draws and rows that are done to the ProgressScope of the caller's thread (foundation/progress.h).
///
/// Where all inputs are one piece, a task draws its weights and uses them while they are in the cache. Else, and where the net is linearised, a group of draws
/// is made first, and a task takes one piece through some of them.
/// @param inputs  standardised [n × d]
bool for_each_draw(const Model& model, const Posterior& posterior, std::uint64_t seed, int n_samples,
                   std::span<const float> inputs, int n, const std::stop_token& stop,
                   function_ref<void(int draw, int row, std::span<const float> outputs)> read,
                   function_ref<void(int first_draw, int draws, int first_row, int rows)> reduced);

}   // namespace credence
