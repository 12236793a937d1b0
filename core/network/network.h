// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "network/architecture.h"
#include "random/noise.h"

#include <optional>
#include <span>

namespace credence {

/// Where the masks of dropout layers come from: number (layer, first_row + row, unit) of the key's uniforms, one mask per example.
struct DropoutNoise {
    NoiseKey      key;
    std::uint64_t first_row = 0;   ///< row of the data set that row 0 of the batch is, so that predictions do not depend on how inputs are split
};

/// Evaluates an Architecture on a batch for a given flat weight vector, and gives the gradient with respect to that vector. Holds no weights;
/// one Network may be used from many threads at once, each with a Workspace of its own.
/// T is float for training and double for checks.
template <class T>
class Network {
public:
    /// Activations of one batch and scratch of the backward pass. Allocated once; a step allocates nothing.
    class Workspace {
    public:
        Workspace(const Network& network, int max_batch);
        int max_batch() const { return max_batch_; }

    private:
        friend class Network;
        int max_batch_;
        std::vector<aligned_vector<T>> outputs_;     // of each stage [n × units]
        std::vector<aligned_vector<T>> masks_;       // dropout stages: 0 or 1/(1 - rate); else empty
        aligned_vector<T>              gradient_, next_gradient_;
        const T* inputs_ = nullptr;
        int      n_ = 0;
        bool     dropped_ = false;                   // dropout was active in the last forward pass
    };

    explicit Network(Architecture architecture);

    const Architecture&    architecture() const { return architecture_; }
    const ParameterLayout& layout() const { return layout_; }

    /// Outputs [n × k], in the workspace until its next use.
    /// @param dropout  key of the masks, one mask per example; none: dropout layers pass their input through
    std::span<const T> forward(std::span<const T> weights, const T* inputs, int n, Workspace& workspace,
                               std::optional<DropoutNoise> dropout = std::nullopt) const;

    /// Index of the first dense layer (0-based) with an output that is not finite in the last forward pass; empty if all are finite.
    std::optional<int> first_layer_not_finite(const Workspace& workspace) const;

    /// After `forward` with the same weights, inputs and workspace.
    /// @param output_gradient  dL/d outputs [n × k]
    /// @param weight_gradient  dL/d weights [layout().size()], overwritten
    void backward(std::span<const T> weights, std::span<const T> output_gradient, Workspace& workspace, std::span<T> weight_gradient) const;

private:
    /// One pass over the data: a dense layer with the activation that follows it, an activation that follows none, or a dropout layer.
    struct Stage {
        enum class Kind { dense, activation, dropout } kind;
        int            in = 0, out = 0;
        std::size_t    weights = 0, biases = 0;   // begin of the blocks in the flat vector
        ActivationKind activation = ActivationKind::identity;
        double         rate = 0;
    };

    Architecture       architecture_;
    ParameterLayout    layout_;
    std::vector<Stage> stages_;
};

extern template class Network<float>;
extern template class Network<double>;

}  // namespace credence
