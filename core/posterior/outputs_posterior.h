// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/posterior.h"
#include "posterior/row_outputs.h"

#include <memory>

namespace credence {

/// Stands where views expect a posterior and nobody has the weights: what is known are draws of the outputs of numbered rows. PosteriorPredictive and
/// sample_logits read these; weights cannot be drawn, and have neither moments nor a covariance.
class OutputsPosterior final : public Posterior {
public:
    /// @param layout  of the net that stands for the unknown one: views compare it, nobody fills it
    OutputsPosterior(ParameterLayout layout, std::shared_ptr<const RowOutputs> outputs);

    const RowOutputs& outputs() const { return *outputs_; }

    NoiseIn noise_in() const override { return NoiseIn::activations; }   ///< not in weights that anybody knows
    std::optional<std::size_t> different_draws() const override;
    void draw(NoiseKey key, Draw<float>& out) const override;   ///< @throws Error: there are none
    std::span<const float> means() const override { return {}; }
    void moments(std::span<float> mean, std::span<float> sd) const override;   ///< @throws Error
    Covariance covariance() const override { return NoCovariance{}; }
    LayerUncertainty describe() const override { return {}; }
    std::span<const float> numbers() const override { return {}; }

private:
    std::shared_ptr<const RowOutputs> outputs_;
};

/// The outputs at hand of a posterior that has nothing else; null for all others.
const RowOutputs* outputs_of(const Posterior& posterior);

}   // namespace credence
