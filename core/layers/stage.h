// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/products.h"
#include "layers/activation.h"
#include "layers/column_gradients.h"
#include "layers/dropout_noise.h"
#include "layers/layer_gradients.h"
#include "layers/planes.h"

#include <memory>
#include <span>

namespace credence {

/// What a stage keeps of a batch from its forward pass for the passes after it; stages that need some derive from it.
struct StageMemory {
    virtual ~StageMemory() = default;
};

/// How much working memory a stage asks for, in numbers.
struct ScratchSize {
    std::size_t columns = 0;   ///< the patches of a convolution
    std::size_t inner   = 0;   ///< whatever stands between input and output
};
/// Working memory of one task: as large as the hungriest stage asks for, shared by all, so that it stays in the cache.
template <class T>
struct StageScratch {
    aligned_vector<T> columns, inner;
    aligned_vector<T> column_gradient;     // as columns; for backward
    aligned_vector<T> columns_of_inputs;   // kept from one weight vector to the next
};

/// A pass over some consecutive examples of a batch, on the caller's thread.
template <class T>
struct StagePass {
    const T* weights = nullptr;              ///< the flat vector of the whole network
    int first = 0, n = 0;                    ///< rows of the batch
    StageMemory* memory         = nullptr;   ///< of this stage
    StageScratch<T>* scratch    = nullptr;
    const DropoutNoise* dropout = nullptr;   ///< null: no dropout
    bool inputs_prepared        = false;     ///< see Stage::prepare_inputs
    bool fewer_products = false;   ///< forward: convolutions may be made by fewer products, which round otherwise
};

/// Where a stage writes dL/d weights: the flat gradient of the whole network.
template <class T>
struct WeightSums {
    T* gradient = nullptr;   ///< null: not wanted
    bool add    = false;     ///< to what stands there; else it is overwritten
};

/// One direction in which the weights move, and with them the tangents dx of a stage's inputs and dy of its outputs.
template <class T>
struct Direction {
    const T* along = nullptr;   ///< the flat vector
    Planes<T> dx, dy;
};

/// Working memory of ColumnPass.
template <class T>
struct ColumnScratch {
    StageScratch<T> plain;   // of one example
    aligned_vector<T> pixels;
    ColumnGradients<T> before;           // of a convolution
    std::vector<std::uint16_t> places;   // of the maxima of one image
    bool behind_maxima = false;          // `before` knows what leaves the convolution below already
};

template <class T>
class Stage;

/// A pass backward of several functions' gradients ("columns") of one example: columns stand where the images of a batch would.
template <class T>
struct ColumnPass {
    const T* weights = nullptr;
    int first = 0, n = 0;   ///< the chunk of examples that the example stands in
    int example = 0;        ///< row of the batch
    int columns = 0, group = 0;
    StageMemory* memory       = nullptr;
    ColumnScratch<T>* scratch = nullptr;
    const Stage<T>* below     = nullptr;   ///< the next stage that the gradients reach
    LayerGradients<T>* reader = nullptr;
    int layer                 = 0;       ///< of a stage with weights, 0-based among these
    bool lowest               = false;   ///< nothing below is wanted

    int in_chunk() const { return example - first; }
};

/// One layer at work, sometimes with the activation that follows it: what it does with some examples of a batch, for several threads at once. x is what enters, y what leaves.
template <class T>
class Stage {
public:
    explicit Stage(const StagePlace& place) : place_(place) {}
    virtual ~Stage()               = default;
    Stage(const Stage&)            = delete;
    Stage& operator=(const Stage&) = delete;

    const StagePlace& place() const { return place_; }
    const ImageShape& in() const { return place_.in; }
    const ImageShape& out() const { return place_.out; }

    virtual bool has_weights() const { return false; }
    virtual bool only_with_dropout() const { return false; }   ///< else the next stage reads the same values
    virtual bool pointwise() const { return false; }           ///< is it a PointwiseStage?
    virtual bool takes_activation(ActivationKind)
    {
        return false;
    }   ///< Takes over the activation that follows, if it can.
    /// In a ColumnPass, gradients behind windows of maxima of what this stage puts out need not be expanded: ColumnGradients takes them as they are.
    virtual bool takes_maxima() const { return false; }
    /// Multiplies dy by f' of the activation that the stage took over, on planes of `places` numbers each: of all outputs, or of some maxima among them.
    virtual void through_activation(Planes<const T> /*y*/, Planes<T> /*dy*/, int /*places*/, int /*images*/) const {}
    /// dL/dy must stand as channels_as_rows, and is overwritten.
    virtual bool reads_rows() const { return false; }
    virtual long working_set() const { return 1; }         ///< numbers of one example that should stay in the cache
    virtual int numbers_at_once() const { return 8192; }   ///< of one task, where examples are plain vectors
    virtual std::unique_ptr<StageMemory> memory(int /*max_batch*/) const { return nullptr; }
    virtual ScratchSize scratch(int /*examples*/) const { return {}; }

    /// Makes what depends on the inputs alone, so that forward need not with several weight vectors. False if there is nothing.
    /// @param most_images  in any pass with this scratch
    virtual bool prepare_inputs(const StagePass<T>& /*pass*/, Planes<const T> /*x*/, int /*most_images*/) const
    {
        return false;
    }

    virtual void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const = 0;

    /// Computes dL/dx, and dL/d weights of a stage that has some. dy may be overwritten; a pointwise stage wants dx = dy.
    /// @param dx  without data: not wanted
    virtual void backward(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> dy, Planes<T> dx,
                          WeightSums<T> sums) const = 0;

    /// Computes dy = ∂y/∂x dx + ∂y/∂w along, in every direction. A pointwise stage wants dx = dy.
    /// @param inputs_move  else dx is 0 and not read
    virtual void tangents(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y,
                          std::span<const Direction<T>> directions, bool inputs_move) const = 0;

    /// Makes ready what ColumnPass needs of the weights.
    virtual void prepare_columns(const T* /*weights*/, StageMemory*) const {}
    /// Computes dL/dx of each column; a stage with weights tells the reader.
    /// @return  false: dx was not needed, the gradients stand in dy
    virtual bool columns(ColumnPass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> dy, Planes<T> dx) const
    {
        // The one example stands beside every column.
        const Planes<const T> same_x{x.data, x.channel, 0}, same_y{y.data, y.channel, 0};
        const StagePass<T> all{.weights = pass.weights,
                               .first   = 0,
                               .n       = pass.columns,
                               .memory  = pass.memory,
                               .scratch = &pass.scratch->plain};
        backward(all, same_x, same_y, dy, pointwise() ? dy : dx, {});
        return !pointwise();
    }

private:
    StagePlace place_;
};

/// A stage that maps each number by itself. Where examples are vectors, a dense layer above it makes its gradient on tiles of a product that are still in the cache.
template <class T>
class PointwiseStage : public Stage<T> {
public:
    using Stage<T>::Stage;
    bool pointwise() const final { return true; }

    /// Computes y = f(x) of n numbers that stand one after the other.
    virtual void values(const T* x, T* y, std::size_t n) const = 0;
    /// Multiplies a gradient by f'(x), y = f(x), of n numbers that stand one after the other. @param at  where the first stands in the batch, example by example
    virtual void multiply_by_slope(const StageMemory* memory, std::size_t at, const T* x, const T* y, T* gradient,
                                   std::size_t n) const = 0;

    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override
    {
        for_each_run(pass, x, Planes<const T>(y), y,
                     [&](std::size_t, const T* from, const T*, T* to, std::size_t n) { values(from, to, n); });
    }
    void backward(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> dy, Planes<T> /*dx*/,
                  WeightSums<T>) const final
    {
        for_each_run(pass, x, y, dy, [&](std::size_t at, const T* in, const T* out, T* gradient, std::size_t n) {
            multiply_by_slope(pass.memory, at, in, out, gradient, n);
        });
    }
    void tangents(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y,
                  std::span<const Direction<T>> directions, bool inputs_move) const final
    {
        if (!inputs_move)
            return;
        for (const Direction<T>& d : directions)
            backward(pass, x, y, d.dy, d.dy, {});
    }
    /// Multiplies a gradient by f' on a tile of the batch [n × width].
    void multiply_by_slope(const StageMemory* memory, const T* x, const T* y, T* gradient, int width,
                           TileRange tile) const
    {
        for (int row = tile.row_begin; row < tile.row_end; ++row) {
            const std::size_t at = static_cast<std::size_t>(row) * width + tile.column_begin;
            multiply_by_slope(memory, at, x + at, y + at, gradient + at,
                              static_cast<std::size_t>(tile.column_end - tile.column_begin));
        }
    }

private:
    /// Calls body(at, x, y, z, n) for planes, or for all of them at once where they follow one another.
    template <class Body>
    void for_each_run(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> z, Body body) const
    {
        const ImageShape shape  = this->out();
        const int places        = shape.height * shape.width;
        const std::size_t first = static_cast<std::size_t>(pass.first) * shape.size();
        if (is_one_run(x, shape) && is_one_run(y, shape) && is_one_run(z, shape))
            return body(first, x.data, y.data, z.data, static_cast<std::size_t>(pass.n) * shape.size());
        for (int c = 0; c < shape.channels; ++c)
            for (int b = 0; b < pass.n; ++b)
                body(first + (static_cast<std::size_t>(b) * shape.channels + c) * places, x.plane(c, b), y.plane(c, b),
                     z.plane(c, b), static_cast<std::size_t>(places));
    }
};

}   // namespace credence
