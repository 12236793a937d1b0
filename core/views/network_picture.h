// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "network/architecture.h"
#include "posterior/prior.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// A network as columns of units, connected by its weights. A layer with more than 12 units, or
/// with feature maps, is drawn as one block.
struct NetworkPicture {
    static constexpr int most_units = 12;   ///< of a column

    /// The inputs, or the outputs of a layer with weights.
    struct Column {
        std::string name{};   ///< "2 inputs", "dense 1: 30 units", "conv 1: 20 × 12 × 12"
        int units  = 0;
        bool block = false;
        std::vector<double> spread{};   ///< mean σ of the weights into each drawn unit; empty: the inputs

        int drawn() const { return block ? 1 : units; }
    };
    /// The weights between two drawn units: one weight, or all of a block.
    struct Edge {
        int layer = 0;                   ///< from column `layer` to the next
        int from = 0, to = 0;            ///< drawn units, from the top
        std::size_t weight = 0, n = 0;   ///< flat index of the first one, and their number
        double mean      = 0;            ///< of their means
        double magnitude = 0, sd = 0;    ///< mean |μ|, mean σ

        /// mean |μ| / mean σ; infinite without spread
        double signal_to_noise() const;
    };
    std::vector<Column> columns{};
    std::vector<Edge> edges{};
    /// A skip connection: the columns that the image saved by `save` bypasses, up to its `add`.
    struct Skip {
        int from = 0, to = 0;
        bool swapped = false;   ///< with `swap`: the layers after it act on the saved image
    };
    std::vector<Skip> skips{};
    std::vector<BlockPrior> priors{};   ///< of the weights of each layer; empty: none
    bool has_spread = false;
};
/// Returns only the columns, without spread, in the order of the list of layers.
std::vector<NetworkPicture::Column> network_columns(const Architecture& architecture);
/// @param mean, sd  of all weights; empty: only the structure, as if all weights were 0
NetworkPicture network_picture(const Architecture& architecture, std::span<const float> mean,
                               std::span<const float> sd);
/// @return  null: a bias, or no weight of this network
const NetworkPicture::Edge* edge_with(const NetworkPicture& picture, const ParameterLayout& layout, std::size_t weight);
/// @param selected  the edge to be marked; null: none
Chart to_chart(const NetworkPicture& picture, const NetworkPicture::Edge* selected = nullptr);
/// Describes the unit or the weights near a point of the chart: means, spread and, next to them, the
/// prior. Empty: nothing is near.
std::string words_at(const NetworkPicture& picture, double x, double y);
/// The edge next to a point of the chart. @return  null: none is near
const NetworkPicture::Edge* edge_at(const NetworkPicture& picture, double x, double y);

}   // namespace credence
