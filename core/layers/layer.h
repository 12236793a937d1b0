// SPDX-License-Identifier: GPL-3.0-or-later
// Lists all layer kinds. To add a kind, add its file, its test and two lines here; the build reads
// the file names from the includes below.
#pragma once

#include "layers/activation.h"
#include "layers/conv2d.h"
#include "layers/dense.h"
#include "layers/dropout.h"
#include "layers/filter_response_norm.h"
#include "layers/pool.h"
#include "layers/preprocessing.h"
#include "layers/response_norm.h"
#include "layers/skip.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <variant>

namespace credence {

/// A kind that satisfies LayerKind; otherwise the compiler names the unmet requirement.
template <LayerKind Kind>
using Checked = Kind;
template <class... Kinds>
using LayerVariant = std::variant<Checked<Kinds>...>;

/// Any kind of layer. Help and error messages list the kinds in this order.
using Layer = LayerVariant<Conv2d, Pool, ResponseNorm, Dense, Dropout, Flatten, Grey, LocalNorm, FilterResponseNorm,
                           Save, Swap, Add, Activation>;

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
