// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/posterior_predictive.h"

#include <cstddef>
#include <span>

namespace credence {

/// Sampled outputs seen by the scores, borrowed: [n_samples × n_inputs × n_outputs], S × N × K in the formulas.
template <class T>
struct SampleView {
    std::span<const T> values;
    int n_samples = 0, n_inputs = 0, n_outputs = 0;

    double at(int sample, int input, int output) const
    {
        return static_cast<double>(values[(static_cast<std::size_t>(sample) * n_inputs + input) * n_outputs + output]);
    }
    /// @throws Error if the sizes are not positive or do not fit the values
    void check() const;
};

SampleView<float> view_of(const OutputSamples& samples);

}  // namespace credence
