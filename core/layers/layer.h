// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kinds.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace credence {

// Functions shared by all layer kinds, for callers that do not need to know the kind.

bool has_weights(const Layer& layer);
bool needs_image(const Layer& layer);
SecondDerivative second_derivative(const Layer& layer);
bool has_noise(const Layer& layer);
LayerWeights layer_weights(const Layer& layer, ImageShape in, ImageShape out);   ///< requires a layer with weights

/// Changes the flow to the layer's output. @throws Error that names the layer
void pass(const Layer& layer, Flow& flow);

/// @throws Error that names the layer
Layer layer_from_text(LayerWords& words);
Layer layer_from_json(const nlohmann::json& json, std::size_t layer);
std::string text_of(const Layer& layer);
nlohmann::json json_of(const Layer& layer);

std::string layer_words();    ///< "conv, max, …, elu or identity"
std::string layer_syntax();   ///< "conv FILTERS KERNEL [stride S] [pad P], max KERNEL [STRIDE], …"

}   // namespace credence
