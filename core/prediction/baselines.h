// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace credence {

/// Scores of predictions without a network, as baselines.
struct ClassBaseline {
    int majority = 0;                    ///< the most frequent class of the training rows, the first on ties
    std::vector<double> frequencies{};   ///< (n_k + 1)/(N + K): no class has probability 0 [K]
    double accuracy = 0;                 ///< when always predicting the majority class
    double nll      = 0;                 ///< when always predicting the frequencies, nats per example
};
/// @param training, scored  labels, 0 … n_classes − 1; at least one of each
ClassBaseline class_baseline(std::span<const int> training, std::span<const int> scored, std::size_t n_classes);

/// Root mean squared error, and NLL of a Gaussian around the prediction with the standard deviation
/// of the training residuals, nats per example.
struct NumberBaseline {
    double rmse = 0, nll = 0;
};
/// Always predicts the mean of the training targets. Empty: fewer than two training rows, or
/// constant targets.
std::optional<NumberBaseline> mean_baseline(std::span<const double> training, std::span<const double> scored);
/// Ordinary least squares with an intercept, of minimum norm if inputs are collinear. Residual
/// variance with divisor n − d − 1. Empty: fewer than d + 2 training rows, n d² above 2 · 10⁸, or a
/// fit without residuals.
/// @param training_inputs, scored_inputs  [n × n_features], scaled in the same way
std::optional<NumberBaseline> least_squares_baseline(std::span<const float> training_inputs,
                                                     std::span<const double> training,
                                                     std::span<const float> scored_inputs,
                                                     std::span<const double> scored, std::size_t n_features);

}   // namespace credence
