// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/posterior.h"
#include "simplex/logit_gaussian.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace credence {

/// Stored output samples of numbered rows; the weights are not needed. All members can be called
/// concurrently.
class RowOutputs {
public:
    enum class Kind { probabilities, logits, log_probabilities };

    virtual ~RowOutputs() = default;

    virtual int n_draws() const        = 0;   ///< S >= 1
    virtual std::size_t n_rows() const = 0;   ///< N >= 1, at most `most_rows`
    virtual int n_classes() const      = 0;   ///< K >= 2
    virtual Kind
    exact_kind() const = 0;   ///< probabilities or log_probabilities: the kind that is read without loss of precision

    /// Reads the first `n_draws` samples of some rows, in double. Logits become probabilities by
    /// softmax. Probabilities become logits ln max(p, 1e-12), so that they have moments; log
    /// probabilities have no such floor: ln 0 is −inf.
    /// @param rows  below n_rows(), fastest if consecutive
    /// @param out   [n_draws × rows.size() × K]
    /// @return      false if `stop` was requested
    /// @throws Error with file, sample and row for invalid numbers
    virtual bool read(Kind kind, std::span<const std::uint32_t> rows, int n_draws, std::span<double> out,
                      const std::stop_token& stop) const = 0;

    /// True if the distributions of the logits are known, not only samples.
    virtual bool has_gaussians() const { return false; }
    /// The distribution for one row; empty if it is unknown. @throws Error as read
    virtual std::optional<LogitGaussian> gaussian(std::uint32_t /*row*/) const { return {}; }

    static constexpr std::size_t most_rows = std::size_t{1}
                                             << 24;   ///< float32 represents every whole number up to here
};

/// Converts inputs to row numbers. For imported predictions, the input of a row is its number.
/// @param inputs  [n]
/// @throws Error  "Imported predictions are available for rows 0 to 99 only, but row 0.5 was
/// requested."
std::vector<std::uint32_t> rows_named(std::span<const float> inputs, const RowOutputs& outputs);

/// The posterior of imported predictions: samples of the outputs of numbered rows, without weights.
/// PosteriorPredictive and sample_logits read these; weights cannot be sampled, and have neither
/// moments nor a covariance.
class OutputsPosterior final : public Posterior {
public:
    /// @param layout  layout of a placeholder for the unknown network: views compare it, but no
    /// weights are stored in it
    OutputsPosterior(ParameterLayout layout, std::shared_ptr<const RowOutputs> outputs);

    const RowOutputs& outputs() const { return *outputs_; }

    NoiseIn noise_in() const override { return NoiseIn::activations; }   ///< the weights are unknown
    std::optional<std::size_t> different_draws() const override;
    void draw(NoiseKey key, Draw<float>& out) const override;   ///< @throws Error: there are no weights
    std::span<const float> means() const override { return {}; }
    void moments(std::span<float> mean, std::span<float> sd) const override;   ///< @throws Error
    Covariance covariance() const override { return NoCovariance{}; }
    LayerUncertainty describe() const override { return {}; }
    std::span<const float> numbers() const override { return {}; }

private:
    std::shared_ptr<const RowOutputs> outputs_;
};

/// The outputs of a posterior of imported predictions; null for all others.
const RowOutputs* outputs_of(const Posterior& posterior);

}   // namespace credence
