// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/samples.h"

#include "foundation/error.h"
#include "foundation/finite.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace credence {

template <class T>
void SampleView<T>::check() const
{
    const auto expected = static_cast<std::size_t>(n_samples) * static_cast<std::size_t>(n_inputs)
                          * static_cast<std::size_t>(n_outputs);
    if (n_samples < 1 || n_inputs < 0 || n_outputs < 1 || values.size() != expected)
        throw Error("Sampled outputs: " + std::to_string(values.size()) + " values do not fit "
                    + std::to_string(n_samples) + " samples × " + std::to_string(n_inputs) + " inputs × "
                    + std::to_string(n_outputs) + " outputs.");
}

template struct SampleView<float>;
template struct SampleView<double>;

namespace {

/// @param bad  index of the value
template <class T>
[[noreturn]] void refuse(const SampleView<T>& samples, std::size_t bad, std::size_t first_input)
{
    const auto K = static_cast<std::size_t>(samples.n_outputs), N = static_cast<std::size_t>(samples.n_inputs);
    throw Error("Predictions: draw " + std::to_string(bad / K / N) + " gives "
                + shortest_text(static_cast<double>(samples.values[bad])) + " for output " + std::to_string(bad % K)
                + " of input " + std::to_string(first_input + bad / K % N) + ", expected finite numbers.");
}

}   // namespace

template <class T>
void require_finite(const SampleView<T>& samples, std::size_t first_input)
{
    if (all_finite(samples.values))
        return;
    const auto bad = std::find_if(samples.values.begin(), samples.values.end(),
                                  [](T value) { return !std::isfinite(value); });
    refuse(samples, static_cast<std::size_t>(bad - samples.values.begin()), first_input);
}

void require_probabilities(const ClassSamples& samples, std::size_t first_input)
{
    const SampleView<double> view{samples.values, samples.n_samples, samples.n_inputs, samples.n_classes};
    view.check();
    const auto bad = std::find_if(samples.values.begin(), samples.values.end(), [&](double value) {
        return samples.logarithms ? std::isnan(value) : !std::isfinite(value);
    });
    if (bad != samples.values.end())
        refuse(view, static_cast<std::size_t>(bad - samples.values.begin()), first_input);
}

template void require_finite(const SampleView<float>&, std::size_t);
template void require_finite(const SampleView<double>&, std::size_t);

SampleView<float> view_of(const OutputSamples& samples)
{
    return {samples.values, samples.n_samples, samples.n_inputs, samples.n_outputs};
}

}   // namespace credence
