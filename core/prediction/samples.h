// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/posterior_predictive.h"

#include <cstddef>
#include <span>

namespace credence {

/// Sampled outputs for scores, borrowed: [n_samples × n_inputs × n_outputs], S × N × K in the formulas.
template <class T>
struct SampleView {
    std::span<const T> values;
    int n_samples = 0, n_inputs = 0, n_outputs = 0;

    double at(int sample, int input, int output) const
    {
        return static_cast<double>(values[(static_cast<std::size_t>(sample) * n_inputs + input) * n_outputs + output]);
    }
    /// @throws Error if the sizes are not positive or do not match the values
    void check() const;
};

/// The check between a network's outputs and everything computed from them: quantiles, entropies
/// and scores accept finite numbers only.
/// @param first_input  index of the first of these inputs in the whole set, since outputs may
/// arrive block by block
/// @throws Error       "Predictions: draw 3 gives nan for output 0 of input 12, expected finite
/// numbers."
template <class T>
void require_finite(const SampleView<T>& samples, std::size_t first_input = 0);

/// The same for class probabilities, whose logarithms can be −inf for 0. @throws Error also if the
/// sizes do not match
void require_probabilities(const ClassSamples& samples, std::size_t first_input = 0);

extern template void require_finite(const SampleView<float>&, std::size_t);
extern template void require_finite(const SampleView<double>&, std::size_t);

SampleView<float> view_of(const OutputSamples& samples);

}   // namespace credence
