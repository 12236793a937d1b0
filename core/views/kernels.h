// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "network/architecture.h"
#include "posterior/posterior.h"

#include <span>

namespace credence {

/// What the first layer detects: the kernels of a convolution, or the weights of a dense layer's
/// units arranged like the image they multiply.
struct Kernels {
    std::string block;   ///< "conv 1 weights"
    bool convolution = true;
    int total        = 0;     ///< kernels (units) of the layer
    std::vector<int> index;   ///< the shown ones: all of a convolution up to a limit; of a dense layer those
                              ///< with the largest norm of the mean, in descending order
    int channels = 1, rows = 0, columns = 0;
    std::vector<float> mean;          ///< [shown × channels × rows × columns]
    std::vector<float> draw;          ///< one sample of them; empty if the weights have no spread
    std::optional<double> tau, rho;   ///< of the block
};

/// Returns true if the first layer with weights sees a grid of pixels.
bool has_kernels(const Architecture& architecture);

/// @param mean, draw  of all weights, flat; draw empty if they have no spread
/// @param block       description of the first block
/// @throws Error unless has_kernels
Kernels kernels(const Architecture& architecture, std::span<const float> mean, std::span<const float> draw,
                const BlockUncertainty& block);

/// Mean and sample side by side on one diverging scale, symmetric about 0.
Chart to_chart(const Kernels& kernels);

}   // namespace credence
