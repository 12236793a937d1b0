// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/activation.h"
#include "layers/kind.h"

#include <cstddef>
#include <span>

namespace credence {

/// y = W x + b. An image is flattened channel by channel, row by row. Weights are stored neuron by
/// neuron [units × inputs].
struct Dense {
    int units                           = 100;
    bool operator==(const Dense&) const = default;

    static constexpr const char* syntax    = "dense UNITS";
    static constexpr const char* words     = "dense";
    static constexpr const char* json_name = "dense";
    static constexpr bool needs_image = false, has_weights = true, in_exact_hessian = true;

    static constexpr bool has_noise() { return false; }
    void pass(Flow& flow) const;
    LayerWeights weights_behind(ImageShape in, ImageShape) const { return {"dense", in.size(), units, units}; }
    std::string text() const { return "dense " + std::to_string(units); }
    static std::optional<Dense> from_text(LayerWords& words);
    LayerJsonMembers json() const { return {{json_name, units}}; }
    static Dense from_json(const LayerJson& json) { return {json.whole(json_name)}; }
    template <class T>
    DenseStage<T> dense_stage(const StagePlace& place) const;
};

/// A dense layer with the activation that follows it: products over the whole batch, on all
/// threads. Input x [n × in], output y [n × out].
template <class T>
class DenseStage {
public:
    explicit DenseStage(const StagePlace& place)
        : in_(place.in.size()), out_(place.out.size()), weights_(place.weights), biases_(place.biases)
    {}

    int in() const { return in_; }
    int out() const { return out_; }
    bool has_activation() const { return activation_ != ActivationKind::identity; }
    /// Absorbs the activation that follows, unless it already has one.
    bool takes_activation(ActivationKind kind);

    /// @param weights  here and below: the flat weight vector of the network
    /// @param done  called for each finished tile of y while it is in the cache
    void forward(const T* weights, const T* x, T* y, int n, TileDone done) const;
    /// True if there are several such tiles, each of whole rows.
    bool forward_makes_rows(int n) const { return product_forward_makes_rows(n, in_, out_); }
    /// Applies the absorbed activation to n numbers.
    void activate(T* y, std::size_t n) const { credence::activate(activation_, y, n); }
    /// Multiplies a gradient by f'(t) of the activation: for n consecutive numbers, or for a tile
    /// of [n × out].
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
    int in_, out_;
    std::size_t weights_, biases_;   // offsets of the blocks
    ActivationKind activation_ = ActivationKind::identity;
};

extern template class DenseStage<float>;
extern template class DenseStage<double>;

}   // namespace credence
