// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "layers/stage.h"
#include "network/architecture.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// Returns an error sentence naming a layer without a second derivative; empty if the network has
/// exact second derivatives in its weights. Any layer is allowed before the first one with weights.
std::optional<std::string> refusal_of_second_derivatives(const Architecture& architecture);

/// True if the outputs are piecewise linear in every single weight: no layer after the first one
/// with weights has a second derivative. Then ∂²f/∂w² = 0 wherever it exists, and the exact Hessian
/// and the GGN have the same diagonal (docs/maths.md, section 5).
bool piecewise_linear_in_each_weight(const Architecture& architecture);

/// Evaluates an Architecture in double on tiles of a few examples, with derivatives up to second
/// order, on the calling thread. Dropout layers pass their input through. Owns no weights. With ẋ
/// and ẏ the tangents of a layer's inputs and outputs along a direction v in weight space:
///     forward:   y, and dL/dx = (∂y/∂x)ᵀ dL/dy, dL/dw = (∂y/∂w)ᵀ dL/dy for a function L of the outputs
///     tangents:  ẏ = ∂y/∂x ẋ + ∂y/∂w v
///     products:  the derivatives of dL/dx and dL/dw along v, which are H v (Pearlmutter 1994)
/// At the kink of a ReLU or a maximum, the one-sided derivative at the current values is used.
///
/// The values of a tile are stored unit by unit, in channels_as_rows: value u of example i of the
/// outputs is outputs.plane(u, 0)[i]. Tiles are padded to whole cache lines with examples of zeros;
/// their gradients must be 0.
class TiledNetwork {
public:
    enum class Order {
        first,    ///< activations are computed with the layer before
        second,   ///< move, bend and add_product can be called
    };
    /// @throws Error  for second order, as described by refusal_of_second_derivatives
    TiledNetwork(const Architecture& architecture, Order order);

    const ParameterLayout& layout() const { return layout_; }
    int outputs() const { return shape_at(steps_.size()).size(); }

    struct Tile {
        long first = 0;
        int n      = 0;

        int padded() const { return (n + line - 1) / line * line; }
    };
    /// Divides n examples into tiles of nearly equal size, whose values stay in the cache. Depends
    /// on n and the layers only.
    std::vector<Tile> tiles(long n) const;

    /// Inputs of a tile. Immutable; shared by threads.
    struct Inputs {
        Tile tile;
        aligned_vector<double> values;
    };
    /// @param rows  [examples × inputs]
    template <class T>
    Inputs inputs(std::span<const T> rows, Tile tile) const;

    /// Values of the examples of a tile, and gradients with respect to them. Several threads can
    /// read it at once.
    class Point {
    public:
        Point(const TiledNetwork& network, std::span<const Tile> tiles);

    private:
        friend class TiledNetwork;
        std::vector<aligned_vector<double>> values_, gradients_;   // inputs of each step, and outputs
        std::vector<std::unique_ptr<StageMemory>> memory_;
        StageScratch<double> scratch_;
        const double* weights_ = nullptr;
        const Inputs* inputs_  = nullptr;
        int n_                 = 0;   // padded
    };
    /// Tangents of the values, and workspace. Each thread has its own.
    class Tangents {
    public:
        Tangents(const TiledNetwork& network, std::span<const Tile> tiles);

    private:
        friend class TiledNetwork;
        std::vector<aligned_vector<double>> values_;
        aligned_vector<double> back_[2];
        StageScratch<double> scratch_;
    };
    /// A direction that changes the weights of several consecutive layers.
    struct Along {
        const double* vector = nullptr;        ///< [layout().size()]
        int first_layer = 0, last_layer = 0;   ///< 0-based among layers with weights; others are fixed
    };

    /// Returns the outputs, stored in the point. @param weights, inputs  borrowed until the next call
    Planes<const double> forward(const double* weights, const Inputs& inputs, Point& point) const;
    /// dL/d outputs, to be written after forward and before backward.
    Planes<double> output_gradient(Point& point) const { return at(steps_.size(), point.gradients_.back(), point.n_); }
    /// @param weight_gradient  [layout().size()], added to; null: only the gradients of values are
    /// computed
    void backward(Point& point, double* weight_gradient) const;

    /// After forward: the tangents of the outputs along a direction, stored in `tangents`.
    Planes<const double> move(const Along& along, const Point& point, Tangents& tangents) const;
    /// After backward and move: the second derivative of L along a direction that changes the
    /// weights of a single layer, without the part from second derivatives in the outputs.
    double bend(const Along& along, const Point& point, Tangents& tangents) const;
    /// The tangent of dL/d outputs, to be written before add_product.
    Planes<double> output_tangent(const Point& point, Tangents& tangents) const
    {
        return at(steps_.size(), tangents.back_[1], point.n_);
    }
    /// After backward and move: adds H v for all weights from along.first_layer on.
    /// @param product  [layout().size()]
    void add_product(const Along& along, const Point& point, Tangents& tangents, double* product) const;

private:
    static constexpr int line = 8;   // numbers per cache line

    struct Step {
        std::unique_ptr<Stage<double>> stage;
        bool image = false;   // of the inputs
        bool bends = false;   // has second derivatives in its inputs
        int layer  = -1;      // among those with weights
    };
    const ImageShape& shape_at(std::size_t step) const
    {
        return step < steps_.size() ? steps_[step].stage->in() : steps_.back().stage->out();
    }
    Planes<double> at(std::size_t step, aligned_vector<double>& memory, int n) const
    {
        return channels_as_rows(memory.data(), shape_at(step), n);
    }
    Planes<const double> at(std::size_t step, const aligned_vector<double>& memory, int n) const
    {
        return channels_as_rows(memory.data(), shape_at(step), n);
    }
    Planes<const double> values_at(std::size_t step, const Point& point) const
    {
        return at(step, step == 0 ? point.inputs_->values : point.values_[step], point.n_);
    }
    std::size_t size_at(std::size_t step, int n) const;
    StagePass<double> pass_of(std::size_t step, const Point& point, StageScratch<double>& scratch) const;
    StageScratch<double> scratch(int n) const;
    bool moves(const Along& along, std::size_t step) const
    {
        return steps_[step].layer >= along.first_layer && steps_[step].layer <= along.last_layer;
    }
    static int largest(std::span<const Tile> tiles);

    ParameterLayout layout_;
    std::vector<Step> steps_;
    std::vector<std::size_t> of_layer_;   // step of each layer with weights
    int most_in_tile_ = line;
};

}   // namespace credence
