// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "posterior/posterior.h"
#include "training/snapshot.h"

#include <span>
#include <stop_token>

namespace credence {

/// Linearisation of a network: f(x; θ) ≈ f(x; θ̄) + J(x) (θ − θ̄), J = ∂f/∂θ at the mean weights θ̄
/// of a posterior.
template <class T>
struct Expansion {
    std::span<const T> means;   ///< θ̄, in the posterior
    int lowest_layer = 0;       ///< the first layer with uncertain weights, 0-based among the layers with weights

    /// θ becomes θ − θ̄.
    void subtract_means(std::span<T> weights) const;
};
template <class T>
Expansion<T> expansion_around_means(const BasicPosterior<T>& posterior);

extern template struct Expansion<float>;
extern template struct Expansion<double>;
extern template Expansion<float> expansion_around_means(const Posterior&);
extern template Expansion<double> expansion_around_means(const BasicPosterior<double>&);

inline constexpr int draws_at_once = 16;      ///< samples per group, in memory at the same time
inline constexpr int rows_at_most  = 16384;   ///< inputs between two reductions

/// Evaluates weight samples (and dropout masks) with the network, or with the network linearised at
/// their mean if the Model requires it.
/// Calls read(draw, first row, outputs of the network [rows × k]) for every sample and every block
/// of the inputs, on all threads. After each group of samples and rows, calls reduced(first draw,
/// draws, first row, rows) on a single thread. Sample s is a pure function of (seed, s).
/// Returns false if it was stopped, as soon as the running blocks are finished. Reports the
/// finished share to the ProgressScope of the caller's thread (foundation/progress.h).
///
/// If all inputs are one block, a task generates its weights and uses them while they are in the
/// cache. Otherwise, and if the network is linearised, a group of samples is generated first, and
/// each task evaluates some of them on one block.
/// @param inputs  standardised [n × d]
bool for_each_draw(const Model& model, const Posterior& posterior, std::uint64_t seed, int n_samples,
                   std::span<const float> inputs, int n, const std::stop_token& stop,
                   function_ref<void(int draw, int row, std::span<const float> outputs)> read,
                   function_ref<void(int first_draw, int draws, int first_row, int rows)> reduced);

}   // namespace credence
