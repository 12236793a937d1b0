// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "network/architecture.h"
#include "posterior/posterior.h"

#include <span>

namespace credence {

/// What the first layer looks for: the kernels of a convolution, or the weights of a dense layer's units laid out as the image that they are multiplied with.
struct Kernels {
    std::string block;   ///< "conv 1 weights"
    bool convolution = true;
    int total        = 0;   ///< kernels (units) that the layer has
    std::vector<int>
        index;   ///< those shown: all of a convolution up to a number; of a dense layer those of largest norm of the mean, falling
    int channels = 1, rows = 0, columns = 0;
    std::vector<float> mean;          ///< [shown × channels × rows × columns]
    std::vector<float> draw;          ///< one draw of them; empty if the weights have no spread
    std::optional<double> tau, rho;   ///< of the block
};

/// Does the first layer with weights see pixels side by side?
bool has_kernels(const Architecture& architecture);

/// @param mean, draw  of all weights, flat; draw empty if they have no spread
/// @param block       description of the first block
/// @throws Error if has_kernels says no
Kernels kernels(const Architecture& architecture, std::span<const float> mean, std::span<const float> draw,
                const BlockUncertainty& block);

/// Mean and draw side by side on one diverging scale, symmetric about 0.
Chart to_chart(const Kernels& kernels);

}   // namespace credence
