// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/function_ref.h"
#include "layers/dropout_noise.h"
#include "layers/layer_gradients.h"
#include "network/architecture.h"
#include "network/image_front.h"

#include <optional>
#include <span>

namespace credence {

/// What dense layers put out where their outputs are drawn and their weights are not.
template <class T>
class DrawnDense {
public:
    virtual ~DrawnDense() = default;
    /// Writes W x + b of several draws, row by row.
    /// @param layer  among those with weights, 0-based
    /// @param x      what enters [draws × inputs]; of one row alone if all draws read the same
    /// @param y      [draws × units]
    virtual void outputs(int layer, const T* x, bool same_inputs, T* y, int draws) = 0;
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
        /// @param max_draws  how many weight vectors forward_draws takes at once; 0: the workspace is for forward and backward
        Workspace(const Network& network, int max_batch, int max_draws = 0);
        int max_batch() const { return max_batch_; }

    private:
        friend class Network;
        int max_batch_;
        int max_draws_;
        typename ImageFront<T>::Memory front_;
        aligned_vector<T> front_outputs_;                    // of all draws
        std::vector<aligned_vector<T>> outputs_;             // of each step behind the front [n × units]
        std::vector<std::unique_ptr<StageMemory>> stages_;   // what each stage keeps
        WorkspacePool<StageScratch<T>> scratch_;
        aligned_vector<T> gradient_, next_gradient_;
        aligned_vector<T> columns_
            [2];   // gradients of several columns, or tangents along several directions, [columns × n × units], made when first needed
        const T* inputs_ = nullptr;
        int n_           = 0;
        bool dropped_    = false;   // dropout was active in the last forward pass

        void provide_columns(const Network& network, std::size_t rows);
    };

    explicit Network(Architecture architecture);

    const Architecture& architecture() const { return architecture_; }
    const ParameterLayout& layout() const { return layout_; }
    bool sees_images() const { return front_.length() > 0; }   ///< layers that need images stand in front

    /// Outputs [n × k], in the workspace until its next use.
    /// @param dropout  key of the masks, one mask per example; none: dropout layers pass their input through
    std::span<const T> forward(std::span<const T> weights, const T* inputs, int n, Workspace& workspace,
                               std::optional<DropoutNoise> dropout = std::nullopt) const;

    /// The same for several weight vectors, up to rounding: what does not depend on them is made once, and convolutions may be made by fewer products (MinimalFiltering). Each draw's outputs
    /// are the same bits with other draws and alone. Calls read(i, outputs [n × k]) in their order.
    /// @param workspace  made for so many draws
    /// @param dropout    one for each; empty: dropout layers pass their input through
    void forward_draws(std::span<const std::span<const T>> weights, const T* inputs, int n, Workspace& workspace,
                       std::span<const DropoutNoise> dropout,
                       function_ref<void(std::size_t, std::span<const T>)> read) const;

    /// Several draws of the outputs for one input [draws × k], in the workspace until its next use: layers that see images have weights of their own in each draw, dense layers no
    /// weights at all.
    /// @param front_weights  the first n_front_weights() weights of draw i, read until those of the next one are asked for
    /// @param dense          what the dense layers put out
    /// @param dropout        one for each draw; empty: dropout layers pass their input through
    /// @param workspace      made for a batch of so many rows and one weight vector
    std::span<const T> forward_drawn(int draws, function_ref<const T*(std::size_t)> front_weights, DrawnDense<T>& dense,
                                     const T* input, Workspace& workspace, std::span<const DropoutNoise> dropout) const;
    std::size_t n_front_weights() const { return front_.n_weights(); }   ///< of layers that see images

    /// Index of the first layer with weights (0-based) with an output that is not finite in the last forward pass; empty if all are finite.
    std::optional<int> first_layer_not_finite(const Workspace& workspace) const;

    /// After `forward` with the same weights, inputs and workspace.
    /// @param output_gradient  dL/d outputs [n × k]
    /// @param weight_gradient  dL/d weights [layout().size()], overwritten; empty: not wanted
    /// @param input_gradient   dL/d inputs [n × inputs], overwritten; empty: not wanted
    void backward(std::span<const T> weights, std::span<const T> output_gradient, Workspace& workspace,
                  std::span<T> weight_gradient, std::span<T> input_gradient = {}) const;

    /// After `forward` without dropout: what `reader` wants of every layer from the last one down to `lowest_layer` (0-based among those with weights).
    /// @param output_gradients  some functions' dL/d outputs [columns × n × k], column by column
    void layer_gradients(std::span<const T> weights, std::span<const T> output_gradients, int columns,
                         Workspace& workspace, LayerGradients<T>& reader, int lowest_layer = 0) const;

    /// After `forward` without dropout with the same weights: what the outputs change by when the weights move along some directions δ, to first order, in forward mode:
    ///     J δ,  J = ∂f/∂w at the weights [n·k × weights];   behind a layer z = W x + b:  ż = W ẋ + Ẇ x + ḃ
    /// @param directions    δ [layout().size()] each
    /// @param lowest_layer  as for layer_gradients: weights of layers below stand still, whatever δ says
    /// @return              [directions × n × k], in the workspace until its next use
    std::span<T> tangents(std::span<const T> weights, std::span<const std::span<const T>> directions,
                          Workspace& workspace, int lowest_layer = 0) const;

    /// The net linearised at some weights, f(x; w) + J(x) δ, for each direction δ: forward, once, and tangents. Calls read(i, outputs [n × k]) in their order.
    void forward_linearised(std::span<const T> weights, std::span<const std::span<const T>> directions, const T* inputs,
                            int n, Workspace& workspace, int lowest_layer,
                            function_ref<void(std::size_t, std::span<const T>)> read) const;

    /// What the last dense layer read in the last forward pass [n × its fan-in].
    std::span<const T> features(const Workspace& workspace) const;

private:
    /// What is done behind the layers that see images, in turn: a dense layer, with the activation that follows it, on the whole batch; or a stage, on rows of it.
    struct Step {
        std::optional<DenseStage<T>> dense;
        std::shared_ptr<const Stage<T>> stage;

        int in() const { return dense ? dense->in() : stage->in().size(); }
        int out() const { return dense ? dense->out() : stage->out().size(); }
        bool has_activation() const { return dense && dense->has_activation(); }
        bool pointwise() const { return stage && stage->pointwise(); }
    };
    struct Rows {
        int first, n;
    };
    /// Rows of [n × units] as a stage reads them.
    template <class U>
    static Planes<U> planes_of(U* data, int first, const ImageShape& shape)
    {
        return image_by_image(data + std::ptrdiff_t{first} * shape.size(), shape);
    }

    /// The layers behind the front, from what enters them.
    std::span<const T> forward_behind(std::span<const T> weights, const T* inputs, int n, Workspace& workspace,
                                      const std::optional<DropoutNoise>& dropout) const;
    bool active(std::size_t step, const Workspace& workspace) const
    {
        return steps_[step].dense || !steps_[step].stage->only_with_dropout() || workspace.dropped_;
    }
    /// The last active step below; empty: there is none.
    std::optional<std::size_t> below(std::size_t step, const Workspace& workspace) const;
    /// The first step from this one on that is neither pointwise nor passed over.
    std::size_t behind_pointwise(std::size_t step, const Workspace& workspace) const;
    /// What a step read in the last forward pass: the output of the last one below that did something.
    const T* input_of(std::size_t step, const Workspace& workspace) const;
    /// Calls body(pass, rows) for the rows of the batch, some at a time, on all threads.
    void for_rows(std::size_t step, const T* weights, Workspace& workspace,
                  function_ref<void(StagePass<T>&, Rows)> body) const;
    /// `gradient` with respect to what a stage puts out becomes `down`, with respect to what enters. @param down  where `gradient` stands, or elsewhere
    void pull_back(std::size_t step, const T* weights, T* gradient, T* down, Workspace& workspace) const;
    /// gradient *= f' of the activation of a dense layer.
    void through_activation(std::size_t step, T* gradient, const Workspace& workspace) const;

    Architecture architecture_;
    ParameterLayout layout_;
    ImageFront<T> front_;
    std::vector<Step> steps_;
    std::size_t lowest_dense_ = 0;   // a step
};

extern template class Network<float>;
extern template class Network<double>;

}   // namespace credence
