// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/credible.h"

#include <optional>

namespace credence {

/// Summary of a whole set for views: mean probabilities, entropies, and certainty at several
/// levels. Samples are not stored.
struct SetPredictions {
    ClassPredictions classes{};           ///< [N]
    std::vector<double> levels{};         ///< α
    std::vector<Certainty> certainty{};   ///< [levels][N]
    int n_samples = 0;
};

/// The same values as class_predictions, credible_intervals_at and certainty compute from all
/// samples, but row by row in parallel, and from logarithms if
/// the samples have them: p̄ is a log-sum-exp over the samples.
SetPredictions set_predictions(const ClassSamples& samples, std::span<const double> levels);
void append(SetPredictions& to, const SetPredictions& more);   ///< for further inputs with the same classes and levels

/// Default for the numbers [S × rows × K] held at once. Another value moves the block borders, and
/// so changes the last bits.
inline constexpr std::size_t values_of_a_set = 4'000'000;

/// Predictions of a whole set, streamed: at most `most_values` numbers [S × rows × K] are held at once.
/// @param inputs  standardised [n × n_features]
/// @return        empty if `stop` was requested
std::optional<SetPredictions> set_predictions(const PosteriorPredictive& predictive, std::span<const float> inputs,
                                              int n_features, std::span<const double> levels, std::stop_token stop = {},
                                              std::size_t most_values = values_of_a_set);

}   // namespace credence
