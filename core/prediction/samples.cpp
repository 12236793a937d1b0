// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/samples.h"

#include "foundation/error.h"

#include <string>

namespace credence {

template <class T>
void SampleView<T>::check() const
{
    const auto expected = static_cast<std::size_t>(n_samples) * static_cast<std::size_t>(n_inputs) * static_cast<std::size_t>(n_outputs);
    if (n_samples < 1 || n_inputs < 0 || n_outputs < 1 || values.size() != expected)
        throw Error("Sampled outputs: " + std::to_string(values.size()) + " values do not fit " + std::to_string(n_samples) + " samples × "
                    + std::to_string(n_inputs) + " inputs × " + std::to_string(n_outputs) + " outputs.");
}

template struct SampleView<float>;
template struct SampleView<double>;

SampleView<float> view_of(const OutputSamples& samples)
{
    return {samples.values, samples.n_samples, samples.n_inputs, samples.n_outputs};
}

}  // namespace credence
