// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/products.h"
#include "layers/kind.h"

#include <cstddef>

namespace credence {

enum class ActivationKind { relu, tanh, sigmoid, softplus, elu, identity };
const char* name_of(ActivationKind kind);   ///< "relu", as in JSON

/// y = f(x) elementwise; NaN gives NaN.
///     relu: max(x, 0) · tanh · sigmoid: 1/(1+e^-x) · softplus: ln(1+e^x)
///     elu: x for x > 0, else e^x - 1 · identity
struct Activation {
    ActivationKind kind                      = ActivationKind::relu;
    bool operator==(const Activation&) const = default;

    static constexpr const char* syntax    = "relu, tanh, sigmoid, softplus, elu, identity";
    static constexpr const char* words     = syntax;
    static constexpr const char* json_name = "activation";
    static constexpr bool needs_image = false, has_weights = false;

    static constexpr bool has_noise() { return false; }
    SecondDerivative second_derivative() const
    {
        return kind == ActivationKind::relu || kind == ActivationKind::identity ? SecondDerivative::zero
                                                                                : SecondDerivative::known;
    }
    void pass(Flow&) const {}
    std::string text() const { return name_of(kind); }
    static std::optional<Activation> from_text(LayerWords& words);
    LayerJsonMembers json() const { return {{json_name, name_of(kind)}}; }
    static Activation from_json(const LayerJson& json);
    /// A dense layer or convolution absorbs the activation that follows it.
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// Computes y = f(t) in place.
template <class T>
void activate(ActivationKind kind, T* values, std::size_t n);

/// Multiplies a gradient by f'(t), as a function of the output y alone:
///     relu: [y > 0] · tanh: 1-y² · sigmoid: y(1-y) · softplus: 1-e^-y
///     elu: 1 for y > 0, else y+1
template <class T>
void multiply_by_derivative(ActivationKind kind, const T* outputs, T* gradient, std::size_t n);

/// The same for a tile of a row-major matrix with `width` columns; `bias` [width] is added before
/// the activation.
template <class T>
void add_bias_and_activate(ActivationKind kind, T* values, const T* bias, int width, TileRange tile);
template <class T>
void multiply_by_derivative(ActivationKind kind, const T* outputs, T* gradient, int width, TileRange tile);

/// Computes sum += f''(t) · a · b for n numbers, f''(t) as a function of the output y.
template <class T>
void add_second_derivative(ActivationKind kind, const T* outputs, const T* a, const T* b, T* sum, std::size_t n);

}   // namespace credence
