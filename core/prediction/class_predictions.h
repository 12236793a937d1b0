// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/samples.h"

namespace credence {

/// −Σ p ln p, nats; 0 ln 0 := 0.
double entropy(std::span<const double> probabilities);
/// Index of the largest value, the lowest one on ties.
int argmax(std::span<const double> values);

/// What the sampled probabilities p_s [S × N × K] say about each of N inputs (docs/maths.md, section 8).
struct ClassPredictions {
    int n_inputs = 0, n_classes = 0;
    std::vector<double> mean{};                 ///< p̄ = (1/S) Σ p_s [N × K]
    std::vector<int> predicted{};               ///< argmax p̄, lowest index on ties [N]
    std::vector<double> confidence{};           ///< max p̄ [N]
    std::vector<double> entropy{};              ///< H(p̄), nats: predictive entropy [N]
    std::vector<double> expected_entropy{};     ///< E H(p_s), nats: aleatoric part [N]
    std::vector<double> mutual_information{};   ///< H(p̄) − E H(p_s) >= 0, nats: epistemic part [N]

    std::span<const double> mean_of(int input) const
    {
        return {mean.data() + static_cast<std::size_t>(input) * n_classes, static_cast<std::size_t>(n_classes)};
    }
};

/// @throws Error if a probability is not finite
template <class T>
ClassPredictions class_predictions(const SampleView<T>& probabilities);
/// Adds the predictions of further inputs, same classes: predictions of a set made block by block.
void append(ClassPredictions& to, const ClassPredictions& more);
/// From sums over draws that were not stored. @throws Error if a mean is not finite
ClassPredictions class_predictions(const PredictiveSummary& summary);

extern template ClassPredictions class_predictions(const SampleView<float>&);
extern template ClassPredictions class_predictions(const SampleView<double>&);

}   // namespace credence
