// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "layers/stage.h"

namespace credence {

/// A dense layer with the activation that follows it. The members of Stage compute some examples on
/// the calling thread, in channels_as_rows: x [in × n], y [out × n], n whole cache lines. The others
/// compute the whole batch on all threads: x [n × in], y [n × out].
template <class T>
class DenseStage final : public Stage<T> {
public:
    /// @param constant  see Dense; such a layer has no activation
    explicit DenseStage(const StagePlace& place, int constant = 0)
        : Stage<T>(place), in_(place.in.size()), out_(place.out.size()), varying_(out_ - constant),
          weights_(place.weights), biases_(place.biases)
    {}

    bool has_weights() const override { return true; }
    const DenseStage* dense() const override { return this; }
    bool has_activation() const { return activation_ != ActivationKind::identity; }
    /// Absorbs the activation that follows, unless it already has one.
    bool absorb_activation(ActivationKind kind) override;

    void forward(const StagePass<T>& pass, Planes<const T> x, Planes<T> y) const override;
    void backward(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<T> dy, Planes<T> dx,
                  WeightSums<T> sums) const override;
    void tangents(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y,
                  std::span<const Direction<T>> directions, bool inputs_move) const override;
    void second_order(const StagePass<T>& pass, Planes<const T> x, Planes<const T> y, Planes<const T> dy,
                      SecondOrder<T> add) const override;

    /// @param weights  here and below: the flat weight vector of the network
    /// @param done  called for each finished tile of y while it is in the cache
    void forward(const T* weights, const T* x, T* y, int n, TileDone done) const;
    /// True if there are several such tiles, each of whole rows.
    bool forward_makes_rows(int n) const { return product_forward_makes_rows(n, in_, out_); }
    /// Applies the absorbed activation to n numbers.
    void activate(T* y, std::size_t n) const { credence::activate(activation_, y, n); }
    /// Multiplies a gradient by f'(t) of the activation: for n consecutive numbers, or for a tile
    /// of [n × out].
    using Stage<T>::through_activation;
    void through_activation(const T* y, T* gradient, std::size_t n) const
    {
        multiply_by_derivative(activation_, y, gradient, n);
    }
    void through_activation(const T* y, T* gradient, TileRange tile) const
    {
        multiply_by_derivative(activation_, y, gradient, out_, tile);
    }
    /// Computes dL/d weights from dz = dL/d (W x + b) and overwrites it in the network's flat
    /// gradient.
    void weight_gradient(const T* dz, const T* x, int n, T* gradient) const;
    /// Computes dx from dz. @param done  called for each finished tile of dx while it is in the
    /// cache
    void input_gradient(const T* weights, const T* dz, T* dx, int n, TileDone done) const;
    /// Computes both in one parallel loop. dx must not overlap any input.
    void gradients(const T* weights, const T* dz, const T* x, T* gradient, T* dx, int n, TileDone done) const;
    /// Computes ẏ = f'(W x + b) ∘ (W ẋ + Ẇ x + ḃ) for every direction.
    /// @param directions  flat vectors
    /// @param tangent     ẋ [directions × n × in] if the inputs move; then ẏ [directions × n × out]
    /// @param carried     workspace of the size of ẏ
    void tangents(const T* weights, std::span<const std::span<const T>> directions, const T* x, const T* y, int n,
                  bool inputs_move, T* tangent, T* carried) const;

private:
    void multiply(const T* weights, int n, Planes<const T> x, Planes<T> y, Begin begin, const T* start = nullptr) const;
    void multiply_by_transpose(const T* weights, int n, Planes<const T> dz, Planes<T> dx, Begin begin) const;
    void through_activation(Planes<const T> y, Planes<T> dy, int n) const;
    void set_constant(T* y, const T* bias, TileRange tile) const;
    const T* without_constant(const T* dz, int n, aligned_vector<T>& copy) const;

    int in_, out_, varying_;         // the units from varying_ on are constant
    std::size_t weights_, biases_;   // offsets of the blocks
    ActivationKind activation_ = ActivationKind::identity;
};

extern template class DenseStage<float>;
extern template class DenseStage<double>;

}   // namespace credence
