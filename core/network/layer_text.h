// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/architecture.h"

#include <string>
#include <vector>

namespace credence {

/// Layers as one line of text, separated by commas:
///
///     conv FILTERS KERNEL [stride S] [pad P]    max KERNEL [STRIDE]    average KERNEL [STRIDE]    norm SIZE ALPHA BETA
///     dense UNITS    dropout RATE    flatten    relu | tanh | sigmoid | softplus | elu | identity
///
/// The stride of pooling is its kernel where it is not given: "conv 20 5, max 2, conv 50 5, max 2, dense 500, relu". "lrn" says the same as "norm".
/// @throws Error that names the layer: "Layer 2 of the network: found 'pool 2', expected …"
std::vector<Layer> layers_from_text(const std::string& text);

/// The text from which layers_from_text makes these layers again. Of an Architecture: all of its layers, the last dense one included.
std::string layers_text(const std::vector<Layer>& layers);
std::string layers_text(const Architecture& architecture);

}  // namespace credence
