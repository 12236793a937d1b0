// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/architecture.h"

#include <string>
#include <vector>

namespace credence {

/// Reads layers from one line of text, separated by commas: "conv 20 5, max 2, conv 50 5, max 2, dense 500, relu". How each is written, layer_syntax() says.
/// @throws Error that names the layer: "Layer 2 of the network: found 'pool 2', expected …"
std::vector<Layer> layers_from_text(const std::string& text);

/// The text from which layers_from_text makes these layers again. Of an Architecture: all of its layers, the last dense one included.
std::string layers_text(const std::vector<Layer>& layers);
std::string layers_text(const Architecture& architecture);

}   // namespace credence
