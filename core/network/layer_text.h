// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/architecture.h"

#include <string>
#include <vector>

namespace credence {

/// Reads layers from one line of text, separated by commas: "conv 20 5, max 2, conv 50 5, max 2,
/// dense 500, relu". The syntax is described by layer_syntax().
/// @throws Error that names the layer: "Layer 2 of the network: found 'pool 2', expected …"
std::vector<Layer> layers_from_text(const std::string& text);

/// Returns the text from which layers_from_text recreates these layers. For an Architecture: all of
/// its layers, including the last dense one.
std::string layers_text(const std::vector<Layer>& layers);
std::string layers_text(const Architecture& architecture);

}   // namespace credence
