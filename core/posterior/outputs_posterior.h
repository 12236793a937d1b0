// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/posterior.h"
#include "posterior/row_outputs.h"

#include <memory>

namespace credence {

/// The posterior of imported predictions: samples of the outputs of numbered rows, without weights.
/// PosteriorPredictive and sample_logits read these; weights cannot be sampled, and have neither
/// moments nor a covariance.
class OutputsPosterior final : public Posterior {
public:
    /// @param layout  of a placeholder for the unknown network: views compare it, but it is never
    /// filled
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
