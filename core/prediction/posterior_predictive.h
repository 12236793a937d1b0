// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/row_outputs.h"
#include "training/snapshot.h"

#include <cmath>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

/// Predictions of many weight draws.
/// Classification: probabilities, n_outputs = K. Regression: f and the noise's standard deviation, n_outputs = 2, in the network's target units.
struct OutputSamples {
    int n_samples = 0, n_inputs = 0, n_outputs = 0;
    std::vector<float> values;   ///< [n_samples × n_inputs × n_outputs]

    float at(int sample, int input, int output) const
    {
        return values[(static_cast<std::size_t>(sample) * n_inputs + input) * n_outputs + output];
    }
};

/// Class probabilities of many draws, in double: what scores are made of. Those of a network are held as logarithms, which have no smallest number.
struct ClassSamples {
    int n_samples = 0, n_inputs = 0, n_classes = 0;
    std::vector<double> values;   ///< [n_samples × n_inputs × n_classes]
    bool logarithms = true;       ///< values are ln p (−inf of 0); else they are p

    double at(int sample, int input, int k) const
    {
        return values[(static_cast<std::size_t>(sample) * n_inputs + input) * n_classes + k];
    }
    double probability(int sample, int input, int k) const
    {
        return logarithms ? std::exp(at(sample, input, k)) : at(sample, input, k);
    }
};

/// Draws that stand somewhere already, of the rows that inputs name [n]. n_samples = 0 if `stop` was requested. @throws Error as RowOutputs::read
OutputSamples samples_at_hand(const RowOutputs& outputs, RowOutputs::Kind kind, std::span<const float> inputs,
                              int n_samples, const std::stop_token& stop);

/// Sums over draws that need no storage of the draws.
struct PredictiveSummary {
    int n_inputs = 0, n_outputs = 0;
    std::vector<double> mean;               ///< p̄ [n_inputs × K]; regression: mean of f [n_inputs]
    std::vector<double> expected_entropy;   ///< classification: E H(p_s), nats [n_inputs] (aleatoric part)
};

/// What draw s of a predictive is.
enum class DrawsOf {
    weights,   ///< one net, for all inputs: rows, layers and views that read draw s see the same weights. Whatever pairs draws, or stands beside scores of many rows, wants these
    outputs,   ///< of one input alone, where it can be had: the same law, made in a fraction of the time, other numbers (output_draws.h). For an input that is looked at by itself
};

/// The predictive distribution of one snapshot: draws of the weights (and of dropout masks), pushed through the network.
/// Draw s is a pure function of (seed, s): two calls, any split of the inputs and any number of threads give the same numbers.
/// With DrawsOf::outputs that holds for draws of one input; several inputs at once have draws of weights all the same, and so has one input where its outputs have no
/// law in closed form (sets of draws, curvatures that correlate a whole layer, the linearised net, masks alone).
/// Where the posterior has outputs in place of weights (OutputsPosterior), the inputs name rows, whose draws are looked up.
/// What takes long tells the ProgressScope of its thread how far it is, and ends within one batch of inputs once `stop` is requested.
class PosteriorPredictive {
public:
    PosteriorPredictive(const Model& model, std::shared_ptr<const Posterior> posterior, int n_samples,
                        std::uint64_t seed, DrawsOf of = DrawsOf::weights);

    /// @param inputs  standardised [n × d]
    /// Returns early with n_samples = 0 if `stop` is requested.
    OutputSamples sample_outputs(std::span<const float> inputs, int n, std::stop_token stop = {}) const;
    /// The draws of many inputs, block by block on the caller's thread: no more than `most_values` numbers [S × rows × K] are held at once, 2,000,000 floats are 8 MB.
    /// @param inputs  standardised [n × n_features]
    /// @return        false if `stop` was requested
    bool stream_outputs(std::span<const float> inputs, int n_features, std::stop_token stop,
                        const std::function<void(const OutputSamples& block, std::size_t first)>& use,
                        std::size_t most_values = 2'000'000) const;
    /// Classification: ln softmax of the logits of each draw, in double. Returns early with n_samples = 0 if `stop` is requested.
    ClassSamples sample_classes(std::span<const float> inputs, int n, const std::stop_token& stop = {}) const;
    /// As stream_outputs.
    bool stream_classes(std::span<const float> inputs, int n_features, const std::stop_token& stop,
                        const std::function<void(const ClassSamples& block, std::size_t first)>& use,
                        std::size_t most_values = 2'000'000) const;
    /// For pictures: probabilities are those of a float softmax, which ends at e^-87. Scores are made of log probabilities.
    PredictiveSummary summarise(std::span<const float> inputs, int n, std::stop_token stop = {}) const;

    int n_samples() const
    {
        return n_samples_;
    }                        ///< no more than there are different ones: 1 of a point estimate, M of a set
    int n_outputs() const;   ///< numbers that one draw gives for one input

    /// Rows of one block of the streams.
    std::size_t rows_at_once(std::size_t most_values) const;

private:
    Model model_;
    std::shared_ptr<const Posterior> posterior_;
    int n_samples_;
    std::uint64_t seed_;
    bool outputs_;   // are drawn, where one input is alone
};

}   // namespace credence
