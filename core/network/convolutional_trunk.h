// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/function_ref.h"
#include "layers/stage.h"
#include "network/architecture.h"
#include "network/workspace_pool.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace credence {

/// The layers of a network that need images: from the first to the last such layer. The batch is
/// divided into chunks of a few images. One task processes a chunk through all of these layers
/// while it is in the cache. Chunks depend on the layers only, and weight gradients are added in
/// the order of the images, so the bits are the same for any number of threads.
template <class T>
class ConvolutionalTrunk {
    /// Scratch of one task in forward and backward.
    struct TaskScratch {
        StageScratch<T> stage;
        aligned_vector<T> gradient[2];   // for the widest stage
    };

    /// Scratch of one group of images in layer_gradients.
    struct GroupScratch {
        aligned_vector<T> gradient[2];   // for the widest stage, all columns
        ColumnScratch<T> columns;
    };

    /// Scratch of one chunk in tangents.
    struct TangentScratch {
        aligned_vector<T> planes[2];   // [directions × widest]
        std::ptrdiff_t widest = 0;     // size of the widest stage
        StageScratch<T> stage;
    };

public:
    /// Everything written by forward and read by backward. Allocated once per number of threads.
    class Memory {
    public:
        Memory() = default;
        Memory(const ConvolutionalTrunk& front, int max_batch);

        T* output_gradient()
        {
            return output_gradient_.data();
        }   ///< dL/d output [n × size], written by the caller of backward

    private:
        friend class ConvolutionalTrunk;
        std::vector<aligned_vector<T>>
            outputs_;   // of each stage: chunk by chunk, channel by channel; the last one: image by image
        std::vector<std::unique_ptr<StageMemory>> stages_;   // state of each stage
        aligned_vector<T> output_gradient_;
        aligned_vector<T> weight_gradients_;   // one per group of chunks
        WorkspacePool<TaskScratch> scratch_;
        std::vector<GroupScratch> of_groups_;   // made when first needed
        TangentScratch tangents_;               // made when first needed
        const T* inputs_ = nullptr;
        T* output_       = nullptr;   // of the last stage
        int n_           = 0;
        bool dropped_    = false;
    };

    /// @param layers  the architecture's layers up to the end of the trunk: see length()
    explicit ConvolutionalTrunk(const Architecture& architecture);

    std::size_t length() const { return length_; }   ///< number of layers in the trunk; 0: no trunk
    std::size_t n_stages() const { return stages_.size(); }
    int size() const { return size_; }                     ///< outputs per image
    std::size_t n_weights() const { return n_weights_; }   ///< at the start of the flat vector
    int n_weight_layers() const { return n_weight_layers_; }
    int images_at_once() const { return images_at_once_; }

    /// Outputs [n × size], image by image, stored in `memory` until its next use.
    const T* forward(const T* weights, const T* inputs, int n, Memory& memory,
                     const std::optional<DropoutNoise>& dropout) const;

    /// Outputs of several weight vectors for the same images, on the calling thread; computations
    /// that do not depend on the weights are done once. The outputs have the bits of forward, for
    /// any number of images.
    /// @param weights  of sample i; requested once for each images_at_once() images, and read until
    /// the next request
    /// @param memory   allocated for images_at_once() images
    /// @param dropout  one per weight vector; empty: dropout layers pass their input through
    /// @param outputs  [weight vectors × n × size]
    void forward_draws(std::size_t draws, function_ref<const T*(std::size_t)> weights, const T* inputs, int n,
                       Memory& memory, std::span<const DropoutNoise> dropout, T* outputs) const;

    /// From memory.output_gradient(); weight_gradient [n_weights()] is overwritten; null: not
    /// computed.
    /// @param input_gradient  [n × inputs], overwritten; null: not computed
    void backward(const T* weights, Memory& memory, T* weight_gradient, T* input_gradient) const;

    /// After `forward` without dropout: see Network. One task processes an image with all its
    /// columns.
    /// @param gradients  dL/d output [columns × n × size]
    void layer_gradients(const T* weights, Memory& memory, const T* gradients, int columns, LayerGradients<T>& reader,
                         int lowest_layer) const;

    /// After `forward` without dropout: see Network. Runs on the calling thread and processes a
    /// chunk of images with all its directions at a time.
    /// @param tangents  [directions × n × size], overwritten
    void tangents(const T* weights, std::span<const std::span<const T>> directions, Memory& memory, int lowest_layer,
                  T* tangents) const;

    /// Index of the first layer with weights (0-based) with an output that is not finite in the
    /// last forward pass.
    std::optional<int> first_layer_not_finite(const Memory& memory) const;

private:
    struct Chunk {
        int first, images;
        bool inputs_prepared = false;   ///< in the scratch, by the first stage that is not skipped
    };

    bool active(std::size_t stage, const Memory& memory) const
    {
        return !stages_[stage]->only_with_dropout() || memory.dropped_;
    }
    std::size_t next_active(std::size_t stage, const Memory& memory) const;
    Planes<T> output_of(std::size_t stage, Chunk chunk, Memory& memory) const;
    Planes<const T> input_of(std::size_t stage, Chunk chunk, Memory& memory) const;
    StagePass<T> pass_of(std::size_t stage, const T* weights, Chunk chunk, Memory& memory,
                         StageScratch<T>& scratch) const;
    /// @param from  the first stage that runs
    void forward(const T* weights, Chunk chunk, Memory& memory, StageScratch<T>& scratch,
                 const std::optional<DropoutNoise>& dropout, std::size_t from = 0) const;
    std::size_t n_shared_stages() const;   ///< first stages that depend on neither weights nor noise
    void backward(const T* weights, Chunk chunk, Memory& memory, TaskScratch& scratch, WeightSums<T> sums,
                  T* input_gradient) const;
    void image_gradients(const T* weights, int image, int group, Memory& memory, const T* gradients, int columns,
                         LayerGradients<T>& reader, int lowest_layer) const;
    /// Returns tangents [directions × widest], channel by channel, in the scratch.
    /// @param lowest  the first stage whose weights change
    const T* chunk_tangents(const T* weights, std::span<const std::span<const T>> directions, Chunk chunk,
                            Memory& memory, std::size_t lowest) const;
    int n_groups(int n) const;
    void provide_scratch(Memory& memory, int count) const;
    StageScratch<T> stage_scratch(int images) const;
    /// Size of the widest planes that a stage reads or writes, measured by `Size`.
    template <class Size>
    std::size_t widest(Size size) const;

    std::vector<std::shared_ptr<const Stage<T>>> stages_;
    std::size_t length_ = 0, n_weights_ = 0;
    std::size_t first_with_weights_ = 0;   // first stage with weights: the gradient stops there
    int size_ = 0, n_weight_layers_ = 0;
    int images_at_once_ = 1;
};

template <class T>
template <class Size>
std::size_t ConvolutionalTrunk<T>::widest(Size size) const
{
    std::size_t most = 0;
    for (const auto& stage : stages_)
        most = std::max(
            {most, static_cast<std::size_t>(size(stage->in())), static_cast<std::size_t>(size(stage->out()))});
    return most;
}

extern template class ConvolutionalTrunk<float>;
extern template class ConvolutionalTrunk<double>;

}   // namespace credence
