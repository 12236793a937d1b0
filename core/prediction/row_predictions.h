// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/posterior_predictive.h"
#include "prediction/samples.h"

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

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

/// set_predictions at one level (set_predictions.h), each row in 20 bytes.
/// @param level  α of the intervals and of criterion (ii), in (0, 1); @throws Error otherwise
std::vector<RowPrediction> row_predictions(const ClassSamples& samples, double level);

/// Called after each block of rows, on the caller's thread.
using RowsArrived = std::function<void(std::size_t first, std::span<const RowPrediction> rows)>;

/// Predictions of a whole set, streamed: at most `most_values` numbers [S × rows × K] are held at
/// once. The order of the rows, the blocks
/// and the number of threads do not change a row's values, except for the rounding of the network's
/// products.
/// @param inputs      standardised [n × n_features]
/// @param most_values numbers held at once; 2,000,000 floats are 8 MB
/// @return            [n]; empty if `stop` was requested
std::vector<RowPrediction> row_predictions(const PosteriorPredictive& predictive, std::span<const float> inputs,
                                           int n_features, double level, std::stop_token stop = {},
                                           const RowsArrived& arrived = {}, std::size_t most_values = 2'000'000);

}   // namespace credence
