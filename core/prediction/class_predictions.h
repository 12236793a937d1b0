// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "prediction/posterior_predictive.h"

#include <functional>
#include <vector>

namespace credence {

/// −Σ p ln p, nats; 0 ln 0 := 0.
double entropy(std::span<const double> probabilities);
/// Index of the largest value, the lowest one on ties.
int argmax(std::span<const double> values);

/// Predictions for N inputs from sampled probabilities p_s [S × N × K] (docs/maths.md, section 8).
struct ClassPredictions {
    int n_inputs = 0, n_classes = 0;
    std::vector<double> mean{};         ///< p̄ = (1/S) Σ p_s [N × K]
    std::vector<int> predicted{};       ///< argmax p̄, lowest index on ties [N]
    std::vector<double> confidence{};   ///< max p̄, at most 1 [N]
    /// ln of the sum of p̄_k over all other classes: ln(1 − confidence), exact even if the
    /// confidence rounds to 1 [N]
    std::vector<double> log_rest{};
    std::vector<double> entropy{};              ///< H(p̄), nats: predictive entropy [N]
    std::vector<double> expected_entropy{};     ///< E H(p_s), nats: aleatoric part [N]
    std::vector<double> mutual_information{};   ///< H(p̄) − E H(p_s) >= 0, nats: epistemic part [N]

    /// ln p̄ of values too small for a double in `mean`, ascending by index.
    struct TinyMean {
        std::size_t place                      = 0;   ///< index in `mean`
        double log                             = 0;
        bool operator==(const TinyMean&) const = default;
    };
    std::vector<TinyMean> tiny{};

    double log_mean_of(int input, int k) const;   ///< ln p̄_ik; −inf if all samples give exactly 0
    std::span<const double> mean_of(int input) const
    {
        return {mean.data() + static_cast<std::size_t>(input) * n_classes, static_cast<std::size_t>(n_classes)};
    }
};

/// Smaller means have their logarithm in ClassPredictions::tiny.
inline constexpr double smallest_exact_mean = 1e-290;

/// Fills, for one input, all fields derived from its mean probabilities: predicted class,
/// confidence, log_rest, entropy, and the mutual information from expected_entropy.
/// @param log_mean  of class k, called only for means below smallest_exact_mean
void complete_row(ClassPredictions& out, std::size_t input, const std::function<double(std::size_t k)>& log_mean);

/// A score that orders rows by confidence and does not saturate: −ln(1 − confidence), nats. Rows of
/// equal confidence have equal scores, except that within
/// 1e-6 of 1 the probability of all other classes is used, which has full precision.
double confidence_score(double confidence, double log_rest);
/// The scores of all rows, from max p̄ [N].
std::vector<double> confidence_scores(const ClassPredictions& predictions);

/// @throws Error if a probability is not finite
template <class T>
ClassPredictions class_predictions(const SampleView<T>& probabilities);
/// Appends the predictions for further inputs with the same classes, for sets that are predicted
/// block by block.
void append(ClassPredictions& to, const ClassPredictions& more);
/// From sums over samples that were not stored. @throws Error if a mean is not finite
ClassPredictions class_predictions(const PredictiveSummary& summary);

extern template ClassPredictions class_predictions(const SampleView<float>&);
extern template ClassPredictions class_predictions(const SampleView<double>&);

}   // namespace credence
