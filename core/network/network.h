// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/function_ref.h"
#include "layers/column_gradients.h"
#include "layers/dense_stage.h"
#include "layers/dropout.h"
#include "network/architecture.h"
#include "network/convolutional_trunk.h"

#include <optional>
#include <span>

namespace credence {

/// Outputs of dense layers that are sampled directly, instead of their weights.
template <class T>
class DrawnDense {
public:
    virtual ~DrawnDense() = default;
    /// Writes W x + b for several samples, row by row.
    /// @param layer  index among layers with weights, from 0
    /// @param x      inputs [draws × inputs]; a single row if all samples have the same
    /// @param y      [draws × units]
    virtual void outputs(int layer, const T* x, bool same_inputs, T* y, int draws) = 0;
};

/// Evaluates an Architecture on a batch for a given flat weight vector, and computes the gradient
/// with respect to it. Owns no weights; one Network can be used from many threads at once, each
/// with its own Workspace. T is float for training and double for checks.
template <class T>
class Network {
public:
    /// Activations of one batch and scratch of the backward pass. Allocated once; a step allocates
    /// nothing.
    class Workspace {
    public:
        /// @param max_draws  number of weight vectors for forward_draws; 0: the workspace is for
        /// forward and backward
        Workspace(const Network& network, int max_batch, int max_draws = 0);
        int max_batch() const { return max_batch_; }

    private:
        friend class Network;
        int max_batch_;
        int max_draws_;
        typename ConvolutionalTrunk<T>::Memory front_;
        aligned_vector<T> front_outputs_;                    // for all samples
        std::vector<aligned_vector<T>> outputs_;             // of each step after the convolutional trunk [n × units]
        std::vector<std::unique_ptr<StageMemory>> stages_;   // state of each stage
        WorkspacePool<StageScratch<T>> scratch_;
        aligned_vector<T> gradient_, next_gradient_;
        // Gradients of several columns, or tangents along several directions, [columns × n ×
        // units], allocated when first needed
        aligned_vector<T> columns_[2];
        const T* inputs_ = nullptr;
        int n_           = 0;
        bool dropped_    = false;   // dropout was active in the last forward pass

        void provide_columns(const Network& network, std::size_t rows);
    };

    explicit Network(Architecture architecture);

    const Architecture& architecture() const { return architecture_; }
    const ParameterLayout& layout() const { return layout_; }
    bool sees_images() const { return front_.length() > 0; }   ///< has layers that need images

    /// Returns outputs [n × k], stored in the workspace until its next use.
    /// @param dropout  key of the masks, one mask per example; none: dropout layers pass their
    /// input through
    std::span<const T> forward(std::span<const T> weights, const T* inputs, int n, Workspace& workspace,
                               std::optional<DropoutNoise> dropout = std::nullopt) const;

    /// The same for several weight vectors: computations that do not depend on them are done once.
    /// The outputs of each have the bits of `forward`. Calls read(i, outputs [n × k]) in order.
    /// @param workspace  allocated for this many samples
    /// @param dropout    one per sample; empty: dropout layers pass their input through
    void forward_draws(std::span<const std::span<const T>> weights, const T* inputs, int n, Workspace& workspace,
                       std::span<const DropoutNoise> dropout,
                       function_ref<void(std::size_t, std::span<const T>)> read) const;

    /// Returns several samples of the outputs for one input [draws × k], stored in the workspace
    /// until its next use: layers that need images have separate weights in each sample, dense
    /// layers no weights at all.
    /// @param front_weights  the first n_front_weights() weights of sample i, read until the next
    /// request
    /// @param dense          outputs of the dense layers
    /// @param dropout        one per sample; empty: dropout layers pass their input through
    /// @param workspace      allocated for a batch of this many rows and one weight vector
    std::span<const T> forward_drawn(int draws, function_ref<const T*(std::size_t)> front_weights, DrawnDense<T>& dense,
                                     const T* input, Workspace& workspace, std::span<const DropoutNoise> dropout) const;
    std::size_t n_front_weights() const { return front_.n_weights(); }   ///< in layers that need images

    /// Index of the first layer with weights (0-based) with an output that is not finite in the
    /// last forward pass; empty if all are finite.
    std::optional<int> first_layer_not_finite(const Workspace& workspace) const;

    /// After `forward` with the same weights, inputs and workspace.
    /// @param output_gradient  dL/d outputs [n × k]
    /// @param weight_gradient  dL/d weights [layout().size()], overwritten; empty: not computed
    /// @param input_gradient   dL/d inputs [n × inputs], overwritten; empty: not computed
    void backward(std::span<const T> weights, std::span<const T> output_gradient, Workspace& workspace,
                  std::span<T> weight_gradient, std::span<T> input_gradient = {}) const;

    /// After `forward` without dropout: passes each layer to `reader`, from the last one down to
    /// `lowest_layer` (0-based among those with weights).
    /// @param output_gradients  dL/d outputs of several functions [columns × n × k], column by
    /// column
    void layer_gradients(std::span<const T> weights, std::span<const T> output_gradients, int columns,
                         Workspace& workspace, LayerGradients<T>& reader, int lowest_layer = 0) const;

    /// After `forward` without dropout with the same weights: first-order change of the outputs for
    /// changes δ of the weights along several directions, in forward mode:
    ///     J δ,  J = ∂f/∂w at the weights [n·k × weights];   after a layer z = W x + b:  ż = W ẋ + Ẇ x + ḃ
    /// @param directions    δ [layout().size()] each
    /// @param lowest_layer  as for layer_gradients: weights of lower layers are fixed, regardless
    /// of δ
    /// @return              [directions × n × k], stored in the workspace until its next use
    std::span<T> tangents(std::span<const T> weights, std::span<const std::span<const T>> directions,
                          Workspace& workspace, int lowest_layer = 0) const;

    /// Evaluates the network linearised at some weights, f(x; w) + J(x) δ, for each direction δ:
    /// one forward pass, and tangents. Calls read(i, outputs [n × k]) in order.
    void forward_linearised(std::span<const T> weights, std::span<const std::span<const T>> directions, const T* inputs,
                            int n, Workspace& workspace, int lowest_layer,
                            function_ref<void(std::size_t, std::span<const T>)> read) const;

    /// Inputs of the last dense layer in the last forward pass [n × its fan-in].
    std::span<const T> features(const Workspace& workspace) const;

private:
    /// One step after the layers that need images: a dense layer with its activation, on the whole
    /// batch; or another stage, on rows of it.
    struct Step {
        std::shared_ptr<const Stage<T>> stage;
        const DenseStage<T>* dense = nullptr;   // the same stage, if it is dense

        int in() const { return stage->in().size(); }
        int out() const { return stage->out().size(); }
        bool has_activation() const { return dense && dense->has_activation(); }
        bool pointwise() const { return stage->pointwise(); }
    };
    struct Rows {
        int first, n;
    };
    /// Rows of [n × units] in the form used by stages.
    template <class U>
    static Planes<U> planes_of(U* data, int first, const ImageShape& shape)
    {
        return image_by_image(data + std::ptrdiff_t{first} * shape.size(), shape);
    }

    /// Evaluates the layers after the convolutional trunk for given inputs.
    std::span<const T> forward_from(std::span<const T> weights, const T* inputs, int n, Workspace& workspace,
                                    const std::optional<DropoutNoise>& dropout) const;
    bool active(std::size_t step, const Workspace& workspace) const
    {
        return !steps_[step].stage->only_with_dropout() || workspace.dropped_;
    }
    /// The last active step below; empty: none.
    std::optional<std::size_t> below(std::size_t step, const Workspace& workspace) const;
    /// The first step from this one on that is neither pointwise nor skipped.
    std::size_t after_pointwise(std::size_t step, const Workspace& workspace) const;
    /// Inputs of a step in the last forward pass: the output of the last active step below.
    const T* input_of(std::size_t step, const Workspace& workspace) const;
    /// Calls body(pass, rows) for groups of rows of the batch, on all threads.
    void for_rows(std::size_t step, const T* weights, Workspace& workspace,
                  function_ref<void(StagePass<T>&, Rows)> body) const;
    /// Converts the gradient with respect to a stage's outputs to that with respect to its inputs,
    /// `down`.
    /// @param down  can be `gradient` itself
    void pull_back(std::size_t step, const T* weights, T* gradient, T* down, Workspace& workspace) const;
    /// gradient *= f' of the activation of a dense layer.
    void through_activation(std::size_t step, T* gradient, const Workspace& workspace) const;

    Architecture architecture_;
    ParameterLayout layout_;
    ConvolutionalTrunk<T> front_;
    std::vector<Step> steps_;
    std::size_t lowest_dense_ = 0;   // a step
};

extern template class Network<float>;
extern template class Network<double>;

}   // namespace credence
