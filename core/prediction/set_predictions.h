// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/credible.h"
#include "prediction/posterior_predictive.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

/// Summary of a whole set for views: mean probabilities, entropies, and certainty at several
/// levels. Samples are not stored.
struct SetPredictions {
    ClassPredictions classes{};           ///< [N]
    std::vector<double> levels{};         ///< α
    std::vector<Certainty> certainty{};   ///< [levels][N]
    int n_samples = 0;
};

/// Computes the same values as class_predictions, credible_intervals_at and certainty do from all
/// samples, but row by row in parallel, and from logarithms if the samples have them: p̄ is a
/// log-sum-exp over the samples.
SetPredictions set_predictions(const ClassSamples& samples, std::span<const double> levels);
void append(SetPredictions& to, const SetPredictions& more);   ///< for further inputs with the same classes and levels

/// Default limit on the numbers [S × rows × K] in memory. Another value moves the block borders and
/// so changes the last bits.
inline constexpr std::size_t values_of_a_set = 4'000'000;

/// Predicts a whole set block by block, with at most `most_values` numbers [S × rows × K] in
/// memory.
/// @param inputs  standardised [n × n_features]
/// @return        empty if `stop` was requested
std::optional<SetPredictions> set_predictions(const PosteriorPredictive& predictive, std::span<const float> inputs,
                                              int n_features, std::span<const double> levels, std::stop_token stop = {},
                                              std::size_t most_values = values_of_a_set);

/// The prediction for one input in compact form, 20 bytes per row, for tens of thousands of rows.
struct RowPrediction {
    int predicted               = -1;      ///< argmax p̄, lowest index on ties; -1: not predicted yet
    float confidence            = 0;       ///< max p̄
    float entropy               = 0;       ///< H(p̄), nats: predictive entropy
    float mutual_information    = 0;       ///< H(p̄) − E H(p_s) >= 0, nats: epistemic part
    bool certain_no_overlap     = false;   ///< criterion (i): the predicted class's interval overlaps no other one
    bool certain_by_probability = false;   ///< criterion (ii): max p̄ >= α
    bool operator==(const RowPrediction&) const = default;
};

/// set_predictions at one level, each row in 20 bytes.
/// @param level  α of the intervals and of criterion (ii), in (0, 1); @throws Error otherwise
std::vector<RowPrediction> row_predictions(const ClassSamples& samples, double level);

/// Called after each block of rows, on the caller's thread.
using RowsArrived = std::function<void(std::size_t first, std::span<const RowPrediction> rows)>;

/// Predicts a whole set block by block, with at most `most_values` numbers [S × rows × K] in
/// memory. A row's values do not depend on the order of the rows, the blocks or the number of
/// threads, except for the rounding of the network's products.
/// @param inputs      standardised [n × n_features]
/// @param most_values 2,000,000 floats are 8 MB
/// @return            [n]; empty if `stop` was requested
std::vector<RowPrediction> row_predictions(const PosteriorPredictive& predictive, std::span<const float> inputs,
                                           int n_features, double level, std::stop_token stop = {},
                                           const RowsArrived& arrived = {}, std::size_t most_values = 2'000'000);

}   // namespace credence
