// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/outputs_posterior.h"
#include "training/snapshot.h"

#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

struct Recalibration;
class LevelMap;

/// The recalibration of a predictive distribution, fitted when it is first needed.
/// @return  null: `stop` was requested
using RecalibrationSource = std::function<std::shared_ptr<const Recalibration>(const std::stop_token& stop)>;

/// Predictions of many weight samples.
/// Classification: probabilities, n_outputs = K. Regression: f and the noise's standard deviation,
/// n_outputs = 2, in the network's target units.
struct OutputSamples {
    int n_samples = 0, n_inputs = 0, n_outputs = 0;
    std::vector<float> values;                  ///< [n_samples × n_inputs × n_outputs]
    std::shared_ptr<const LevelMap> levels{};   ///< regression: recalibrates the distribution of y; null: none

    float at(int sample, int input, int output) const
    {
        return values[(static_cast<std::size_t>(sample) * n_inputs + input) * n_outputs + output];
    }
};

/// Class probabilities of many samples, in double, for scores. Those of a network are stored as
/// logarithms, which do not underflow.
struct ClassSamples {
    int n_samples = 0, n_inputs = 0, n_classes = 0;
    std::vector<double> values;   ///< [n_samples × n_inputs × n_classes]
    bool logarithms = true;       ///< values are ln p (−inf for 0); otherwise p

    double at(int sample, int input, int k) const
    {
        return values[(static_cast<std::size_t>(sample) * n_inputs + input) * n_classes + k];
    }
    double probability(int sample, int input, int k) const
    {
        return logarithms ? std::exp(at(sample, input, k)) : at(sample, input, k);
    }
};

/// Reads stored samples of the rows given by the inputs [n]. n_samples = 0 if `stop` was requested.
/// @throws Error as RowOutputs::read
OutputSamples read_stored_samples(const RowOutputs& outputs, RowOutputs::Kind kind, std::span<const float> inputs,
                                  int n_samples, const std::stop_token& stop);

/// Sums over samples, computed without storing the samples.
struct PredictiveSummary {
    int n_inputs = 0, n_outputs = 0;
    std::vector<double> mean;               ///< p̄ [n_inputs × K]; regression: mean of f [n_inputs × n_targets]
    std::vector<double> expected_entropy;   ///< classification: E H(p_s), nats [n_inputs] (aleatoric part)
};

/// The meaning of sample s of a predictive distribution.
enum class DrawsOf {
    /// One network for all inputs: rows, layers and views that use sample s have the same weights.
    /// Required if samples are paired or compared with scores over many rows.
    weights,
    /// Outputs for a single input, if possible: the same distribution with other numbers, computed
    /// in a fraction of the time (output_sampling.h). For displaying one input.
    outputs,
};

/// The predictive distribution of one snapshot: weight samples (and dropout masks), evaluated with
/// the network.
/// Sample s is a pure function of (seed, s): repeated calls, any division of the inputs and any
/// number of threads give the same numbers.
/// With DrawsOf::outputs, this holds for the samples of one input. Several inputs at once still use
/// weight samples. So does a single input whose outputs have no closed-form distribution (sets of
/// draws, curvatures that correlate a whole layer, the linearised network, masks only).
/// If the posterior has outputs instead of weights (OutputsPosterior), the inputs are row numbers,
/// and their stored samples are returned.
/// Long computations report to the ProgressScope of their thread, and end within one batch of
/// inputs after `stop` is requested.
class PosteriorPredictive {
public:
    PosteriorPredictive(const Model& model, std::shared_ptr<const Posterior> posterior, int n_samples,
                        std::uint64_t seed, DrawsOf of = DrawsOf::weights);

    /// Returns the same predictive distribution with its samples recalibrated (recalibration.h).
    /// Imported predictions are not changed. @param source  empty: no recalibration
    PosteriorPredictive recalibrated(RecalibrationSource source) const;

    /// @param inputs  standardised [n × d]
    /// Returns early with n_samples = 0 if `stop` is requested.
    OutputSamples sample_outputs(std::span<const float> inputs, int n, std::stop_token stop = {}) const;
    /// Samples for many inputs, block by block on the caller's thread: at most `most_values`
    /// numbers [S × rows × K] are held at once; 2,000,000 floats are 8 MB.
    /// @param inputs  standardised [n × n_features]
    /// @return        false if `stop` was requested
    bool stream_outputs(std::span<const float> inputs, int n_features, std::stop_token stop,
                        const std::function<void(const OutputSamples& block, std::size_t first)>& use,
                        std::size_t most_values = 2'000'000) const;
    /// Classification: ln softmax of the logits of each sample, in double. Returns early with
    /// n_samples = 0 if `stop` is requested.
    ClassSamples sample_classes(std::span<const float> inputs, int n, const std::stop_token& stop = {}) const;
    /// Streams sample_classes block by block, as stream_outputs does.
    bool stream_classes(std::span<const float> inputs, int n_features, const std::stop_token& stop,
                        const std::function<void(const ClassSamples& block, std::size_t first)>& use,
                        std::size_t most_values = 2'000'000) const;
    /// Regression: the mean of f, without the map of levels of a recalibration.
    /// For figures: probabilities come from a float softmax, which underflows at e^-87. Scores use
    /// log probabilities.
    PredictiveSummary summarise(std::span<const float> inputs, int n, std::stop_token stop = {}) const;

    int n_samples() const
    {
        return n_samples_;
    }                        ///< at most the number of different samples: 1 for a point estimate, M for a set
    int n_outputs() const;   ///< values per sample and input

    /// Rows of one block of the streams.
    std::size_t rows_at_once(std::size_t most_values) const;

private:
    Model model_;
    std::shared_ptr<const Posterior> posterior_;
    int n_samples_;
    std::uint64_t seed_;
    bool outputs_;   // sample outputs instead of weights for a single input
    RecalibrationSource recalibration_ = {};
};

/// Sampled outputs for scores, borrowed: [n_samples × n_inputs × n_outputs], S × N × K in the formulas.
template <class T>
struct SampleView {
    std::span<const T> values;
    int n_samples = 0, n_inputs = 0, n_outputs = 0;
    std::shared_ptr<const LevelMap> levels{};   ///< of OutputSamples

    double at(int sample, int input, int output) const
    {
        return static_cast<double>(values[(static_cast<std::size_t>(sample) * n_inputs + input) * n_outputs + output]);
    }
    /// @throws Error if the sizes are not positive or do not match the values
    void check() const;
};

/// Checks a network's outputs before anything is computed from them: quantiles, entropies and
/// scores accept finite numbers only.
/// @param first_input  index of the first of these inputs in the whole set, since outputs may
/// arrive block by block
/// @throws Error       "Predictions: sample 3 gives nan for output 0 of input 12, expected finite
/// numbers."
template <class T>
void require_finite(const SampleView<T>& samples, std::size_t first_input = 0);

/// Checks class probabilities, whose logarithms can be −inf for 0. @throws Error also if the sizes
/// do not match
void require_probabilities(const ClassSamples& samples, std::size_t first_input = 0);

extern template void require_finite(const SampleView<float>&, std::size_t);
extern template void require_finite(const SampleView<double>&, std::size_t);

SampleView<float> view_of(const OutputSamples& samples);

}   // namespace credence
