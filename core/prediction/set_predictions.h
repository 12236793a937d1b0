// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/credible.h"

#include <optional>

namespace credence {

/// All that the pages about a whole set need of its draws: mean probabilities, entropies, and the verdicts at several levels. The draws are gone.
struct SetPredictions {
    ClassPredictions classes{};           ///< [N]
    std::vector<double> levels{};         ///< α
    std::vector<Certainty> certainty{};   ///< [levels][N]
    int n_samples = 0;
};

/// The same numbers as class_predictions, credible_intervals_at and certainty give of all draws, computed row by row in parallel, and from logarithms where
/// the draws have them: p̄ is a log-sum-exp over the draws.
SetPredictions set_predictions(const ClassSamples& samples, std::span<const double> levels);
void append(SetPredictions& to, const SetPredictions& more);   ///< of further inputs, same classes and levels

/// How many numbers [S × rows × K] are held at once where nothing else is said. Another one moves the borders of the blocks, and so the last bits.
inline constexpr std::size_t values_of_a_set = 4'000'000;

/// Of a whole set, streamed: no more than `most_values` numbers [S × rows × K] of the draws are held at once.
/// @param inputs  standardised [n × n_features]
/// @return        empty if `stop` was requested
std::optional<SetPredictions> set_predictions(const PosteriorPredictive& predictive, std::span<const float> inputs,
                                              int n_features, std::span<const double> levels, std::stop_token stop = {},
                                              std::size_t most_values = values_of_a_set);

}   // namespace credence
