// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "network/architecture.h"
#include "network/likelihood.h"

#include <optional>
#include <span>
#include <vector>

namespace credence {

/// A dense layer and the activation that follows it, in the flat weight vector.
struct MlpLayer {
    int in = 0, out = 0;
    std::size_t weights = 0, biases = 0;   // offsets of its blocks
    ActivationKind activation = ActivationKind::identity;
};

/// The layers of a network of dense layers, each except the last followed by at most one
/// activation. Empty for any other network.
std::optional<std::vector<MlpLayer>> mlp_layers(const Architecture& architecture);

/// All rows of a data set and a network of dense layers, laid out for repeated evaluation of the
/// likelihood's gradient with respect to the weights, in double. The numbers of one unit are
/// contiguous for all rows of a tile, so that activations and the narrowest products fill whole
/// vectors. Immutable; shared by chains.
class MlpRows {
public:
    /// Workspace of one chain.
    struct Memory {
        std::vector<aligned_vector<double>> outputs;   // of each layer, one tile [out × stride]
        aligned_vector<double> gradient[2];            // with respect to them, in turn
        aligned_vector<double> scratch;
        aligned_vector<double> first_weights, first_gradient;   // of the first layer, used inputs only
    };

    /// @param inputs   [n × inputs]; copied, as are the targets
    MlpRows(std::vector<MlpLayer> layers, const Likelihood& likelihood, std::span<const float> inputs, std::size_t n,
            const Targets& targets);

    Memory memory() const;

    /// Returns Σ ln p(y_i | x_i, w) over all rows, nats, and adds its gradient to `gradient`. Runs
    /// on the calling thread; does not allocate.
    double add_gradient(std::span<const double> weights, std::span<double> gradient, Memory& memory) const;

private:
    struct Tile {
        int first, rows;
        int padded() const { return (rows + line - 1) / line * line; }
    };
    static constexpr int line = 8;   // numbers per cache line: the widest vector

    const double* columns(std::size_t tile) const;
    bool packed() const { return used_.size() < static_cast<std::size_t>(layers_.front().in); }
    int inputs_of(std::size_t layer) const { return layer == 0 ? static_cast<int>(used_.size()) : layers_[layer].in; }
    void forward(std::size_t tile, const double* weights, Memory& memory) const;
    void backward(std::size_t tile, const double* weights, double* gradient, Memory& memory) const;

    std::vector<MlpLayer> layers_;
    // Indices of the inputs: all, or without those that are 0 in every row, such as the border of
    // images, since their weights do not affect the likelihood.
    std::vector<std::size_t> used_;
    Likelihood likelihood_;
    std::vector<Tile> tiles_;
    std::ptrdiff_t stride_ = 0;        // distance between units in a tile
    std::ptrdiff_t row_    = 0;        // distance between rows in rows_
    aligned_vector<double> columns_;   // used inputs [tiles × used × stride]
    aligned_vector<double> rows_;      // the same row by row, if there are many inputs [n × row]
    aligned_vector<double> targets_;   // [tiles × stride]
};

}   // namespace credence
