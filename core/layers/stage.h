// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/products.h"
#include "layers/activation.h"
#include "layers/column_gradients.h"
#include "layers/dropout.h"
#include "layers/planes.h"

#include <memory>
#include <span>

namespace credence {

/// Intermediate results of a forward pass over a batch, needed by later passes. Stages derive their
/// own from it.
struct StageMemory {
    virtual ~StageMemory() = default;
};

/// Workspace required by a stage, in numbers.
struct ScratchSize {
    std::size_t columns = 0;   ///< the patches of a convolution
    std::size_t inner   = 0;   ///< intermediate values between input and output
};
/// Workspace of one task: shared by all stages and as large as the largest requirement, so that it
/// stays in the cache.
template <class T>
struct StageScratch {
    aligned_vector<T> columns, inner;
    aligned_vector<T> column_gradient;     // same layout as columns; for backward
    aligned_vector<T> columns_of_inputs;   // reused between weight vectors
    aligned_vector<T> input_gradient;      // of second_order, made when first needed
};

/// A pass over consecutive examples of a batch, on the calling thread.
template <class T>
struct StagePass {
    const T* weights = nullptr;              ///< the flat weight vector of the network
    int first = 0, n = 0;                    ///< rows of the batch
    StageMemory* memory         = nullptr;   ///< of this stage
    StageScratch<T>* scratch    = nullptr;
    const DropoutNoise* dropout = nullptr;   ///< null: no dropout
    bool inputs_prepared        = false;     ///< see Stage::prepare_inputs
};

/// Output of dL/d weights: the flat gradient of the network.
template <class T>
struct WeightSums {
    T* gradient = nullptr;   ///< null: not required
    bool add    = false;     ///< true: add to the existing values; false: overwrite them
};

/// A direction in weight space, with the tangents dx of a stage's inputs and dy of its outputs.
template <class T>
struct Direction {
    const T* along = nullptr;   ///< the flat vector; null: the weights of the stage are fixed
    Planes<T> dx, dy;
};

/// The direction of a second derivative, and the sums that receive it.
template <class T>
struct SecondOrder {
    const T* along = nullptr;   ///< the flat vector v; null: the weights of the stage are fixed
    Planes<const T> u;          ///< tangent of the inputs; without data: they are fixed
    Planes<T> dx;               ///< without data: not required
    T* gradient = nullptr;      ///< of the network's weights; null: not required
};

/// Workspace of ColumnPass.
template <class T>
struct ColumnScratch {
    StageScratch<T> plain;   // for one example
    aligned_vector<T> pixels;
    ColumnGradients<T> before;           // for a convolution
    std::vector<std::uint16_t> places;   // positions of the maxima of one image
    bool after_maxima = false;           // `before` already contains the output gradients of the convolution below
};

template <class T>
class Stage;
template <class T>
class DenseStage;

/// A backward pass of several functions' gradients ("columns") of one example. Columns take the
/// place of a batch's images.
template <class T>
struct ColumnPass {
    const T* weights = nullptr;
    int first = 0, n = 0;   ///< the chunk that contains the example
    int example = 0;        ///< row of the batch
    int columns = 0, group = 0;
    StageMemory* memory       = nullptr;
    ColumnScratch<T>* scratch = nullptr;
    const Stage<T>* below     = nullptr;   ///< the next stage to receive the gradients
    LayerGradients<T>* reader = nullptr;
    int layer                 = 0;       ///< index of a stage with weights among those with weights, 0-based
    bool lowest               = false;   ///< no gradients are required below this stage

    int in_chunk() const { return example - first; }
};

/// The computation of one layer, sometimes including the activation that follows, for some examples
/// of a batch. Can be called from several threads at once. x is the input, y the output.
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
    virtual bool only_with_dropout() const { return false; }   ///< without dropout it is skipped
    virtual bool pointwise() const { return false; }           ///< true for a PointwiseStage
    /// The stage itself, if it has products over a whole batch as well.
    virtual const DenseStage<T>* dense() const { return nullptr; }
    virtual bool absorb_activation(ActivationKind)
    {
        return false;
    }   ///< Absorbs the activation that follows, if possible.
    /// True if ColumnPass can leave gradients after max pooling of this stage's output unexpanded,
    /// because ColumnGradients reads them directly.
    virtual bool reads_maxima() const { return false; }
    /// Multiplies dy by f' of the absorbed activation, on planes of `places` numbers each: all
    /// outputs, or the maxima among them.
    virtual void through_activation(Planes<const T> /*y*/, Planes<T> /*dy*/, int /*places*/, int /*images*/) const {}
    /// dL/dy must be laid out as channels_as_rows and is overwritten.
    virtual bool reads_rows() const { return false; }
    virtual long working_set() const { return 1; }         ///< numbers of one example that should stay in the cache
    virtual int numbers_at_once() const { return 8192; }   ///< numbers per task if examples are plain vectors
    virtual std::unique_ptr<StageMemory> memory(int /*max_batch*/) const { return nullptr; }
    virtual ScratchSize scratch(int /*examples*/) const { return {}; }

    /// Precomputes the terms that depend only on the inputs, so that forward can reuse them for
    /// several weight vectors. Returns false if there are none.
    /// @param most_images  the maximum in any pass with this scratch
    virtual bool prepare_inputs(const StagePass<T>& /*pass*/, Planes<const T> /*x*/, int /*most_images*/) const
    {
        return false;
    }

    virtual void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const = 0;

    /// Computes dL/dx, and dL/d weights of a stage with weights. dy can be overwritten; a pointwise
    /// stage requires dx = dy.
    /// @param dx  without data if not required
    virtual void backward(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> dy, Planes<T> dx,
                          WeightSums<T> sums) const = 0;

    /// Computes dy = ∂y/∂x dx + ∂y/∂w along, for every direction. A pointwise stage requires dx =
    /// dy.
    /// @param inputs_move  if false, dx is 0 and not read
    virtual void tangents(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y,
                          std::span<const Direction<T>> directions, bool inputs_move) const = 0;

    /// Adds the derivative of `backward` along a direction (u, v) of inputs and weights, without the
    /// part that is `backward` of the tangent of dy:
    ///     dx += (∂²y/∂x² u + ∂²y/∂x∂w v)ᵀ dy,   dL/d weights += (∂²y/∂w∂x u)ᵀ dy
    /// That is 0 for a stage without weights that is linear in its inputs. Not for kinds whose
    /// second_derivative() is unknown, nor for stages with an absorbed activation.
    virtual void second_order(const StagePass<T>& /*pass*/, Planes<const T> /*x*/, Planes<const T> /*y*/,
                              Planes<const T> /*dy*/, SecondOrder<T> /*add*/) const
    {}

    /// Precomputes the values that ColumnPass needs from the weights.
    virtual void prepare_columns(const T* /*weights*/, StageMemory*) const {}
    /// Computes dL/dx of each column; a stage with weights also calls the reader.
    /// @return  false: dx was not needed, the gradients are in dy
    virtual bool columns(ColumnPass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> dy, Planes<T> dx) const
    {
        // The one example is paired with every column.
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

/// A stage without weights: its outputs change only with its inputs.
template <class T>
class WeightlessStage : public Stage<T> {
public:
    using Stage<T>::Stage;
    void tangents(const StagePass<T>& pass, Planes<const T> x, Planes<const T>,
                  std::span<const Direction<T>> directions, bool inputs_move) const final
    {
        for (std::size_t d = 0; inputs_move && d < directions.size(); ++d)
            tangent(pass, x, directions[d].dx, directions[d].dy);
    }

protected:
    /// Computes dy = ∂y/∂x dx; the default is that of a linear stage.
    virtual void tangent(const StagePass<T>& pass, Planes<const T> /*x*/, Planes<const T> dx, Planes<T> dy) const
    {
        this->forward(pass, dx, dy);
    }
    template <class Body>
    void for_each_plane(int images, Body body) const
    {
        for (int c = 0; c < this->out().channels; ++c)
            for (int b = 0; b < images; ++b)
                body(c, b);
    }
};

/// A stage that maps each number independently. If examples are vectors, a dense layer above
/// computes its gradient on tiles of a product while they are in the cache.
template <class T>
class PointwiseStage : public Stage<T> {
public:
    using Stage<T>::Stage;
    bool pointwise() const final { return true; }
    virtual bool uses_index() const { return true; }   ///< multiply_by_slope depends on `at`

    /// Computes y = f(x) for n consecutive numbers.
    virtual void values(const T* x, T* y, std::size_t n) const = 0;
    /// Multiplies a gradient by f'(x), y = f(x), for n consecutive numbers. @param at  index of the
    /// first number in the batch, example by example
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
    /// Calls body(at, x, y, z, n) for each plane, or once for all planes if they are contiguous.
    /// `at` assumes examples one after another: unit by unit, only for stages that do not use it.
    template <class Body>
    void for_each_run(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> z, Body body) const
    {
        const ImageShape shape  = this->out();
        const int places        = shape.height * shape.width;
        const std::size_t first = static_cast<std::size_t>(pass.first) * shape.size();
        if (is_one_run(x, shape) && is_one_run(y, shape) && is_one_run(z, shape))
            return body(first, x.data, y.data, z.data, static_cast<std::size_t>(pass.n) * shape.size());
        if (!uses_index() && is_unit_by_unit(x, shape) && is_unit_by_unit(y, shape) && is_unit_by_unit(z, shape)) {
            for (int c = 0; c < shape.channels; ++c)
                body(0, x.plane(c, 0), y.plane(c, 0), z.plane(c, 0), static_cast<std::size_t>(pass.n));
            return;
        }
        for (int c = 0; c < shape.channels; ++c)
            for (int b = 0; b < pass.n; ++b)
                body(first + (static_cast<std::size_t>(b) * shape.channels + c) * places, x.plane(c, b), y.plane(c, b),
                     z.plane(c, b), static_cast<std::size_t>(places));
    }
};

}   // namespace credence
