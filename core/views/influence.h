// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/input_groups.h"
#include "views/views.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace credence {

/// How much the prediction and its uncertainty change with each input g. With R rows x_r, V values v of
/// the input with weights w_v (Σ w = 1), and m, u the prediction and its uncertainty:
///
///     on the prediction    √( (1/R) Σ_r Var_v m(x_r with x_g = v) )
///     on its uncertainty   √( (1/R) Σ_r Var_v u(x_r with x_g = v) )
///
/// Regression: m is the mean, u the total standard deviation of a new observation, both in target units.
/// Classification: u = H(p̄) in nats, and Var m = ½ Σ_k Var p̄_k, which for two classes is that of the
/// probability of either. For independent inputs the square of the first is the total effect.
/// Source: Homma and Saltelli 1996, without the division by Var f
struct Influence {
    std::vector<InputGroup> inputs;
    std::vector<double> prediction, uncertainty;   ///< [inputs], >= 0
    int n_rows = 0, n_samples = 0;

    /// Indices of the inputs, from the largest influence on the prediction.
    std::vector<std::size_t> ranking() const;
};

/// The values that replace those of an input, with their weights: up to 10 different numbers, or 10
/// quantiles at (i + ½)/10 if there are more; the 20 most frequent categories.
struct Substitutes {
    std::vector<double> values, weights;
};
Substitutes substitutes_of(const Dataset& data, const InputGroup& input);

/// Computes the influences from evenly spaced training rows, 10 to 100 according to the number of
/// inputs, and at most 50 weight samples. The last few results are cached.
/// @return  null: stopped
std::shared_ptr<const Influence> influence_of(const RunSnapshot& run, const ViewOptions& options,
                                              const std::stop_token& stop);

}   // namespace credence
