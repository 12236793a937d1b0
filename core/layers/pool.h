// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layers/kind.h"
#include "layers/planes.h"

#include <cstdint>

namespace credence {

/// out = ceil((in - kernel) / stride) + 1 along each side (Caffe), windows clipped at the border.
/// Maximum: the first maximum in row order receives the gradient. Average: over the clipped window.
struct Pool {
    enum class Kind { maximum, average };
    Kind kind                          = Kind::maximum;
    int kernel                         = 2;
    int stride                         = 2;
    bool operator==(const Pool&) const = default;

    static constexpr const char* syntax    = "max KERNEL [STRIDE], average KERNEL [STRIDE]";
    static constexpr const char* words     = "max, average";
    static constexpr const char* json_name = "pool";
    static constexpr bool needs_image = true, has_weights = false;

    static constexpr bool has_noise() { return false; }
    static constexpr SecondDerivative second_derivative() { return SecondDerivative::zero; }
    void pass(Flow& flow) const;
    std::string text() const;
    static std::optional<Pool> from_text(LayerWords& words);   ///< the default stride is the kernel size
    LayerJsonMembers json() const
    {
        return {{json_name, kind == Kind::maximum ? "maximum" : "average"}, {"kernel", kernel}, {"stride", stride}};
    }
    static Pool from_json(const LayerJson& json);
    template <class T>
    std::unique_ptr<Stage<T>> stage(const StagePlace& place) const;
};

/// Pooling of several images on the calling thread. Windows begin at multiples of the stride and
/// are clipped at the border.
struct PoolingShape {
    ImageShape in, out;
    Pool pool;
};

/// Position of a maximum in its window: row · kernel + column, the first in row order.
using PlaceInWindow = std::uint16_t;

/// Pools each window; NaN in a window gives NaN.
/// @param place  maximum: output, [channels × images × out places], channel by channel; average:
/// ignored
template <class T>
void pool_forward(const PoolingShape& shape, Planes<const T> x, int images, Planes<T> y, PlaceInWindow* place);

/// Computes the derivative of y when x moves along dx: the derivative at the maximum, or the
/// average over the window.
template <class T>
void pool_tangent(const PoolingShape& shape, Planes<const T> dx, const PlaceInWindow* place, int images, Planes<T> dy);

/// Computes dx from dy: the gradient goes to the maximum only, or equally to the clipped window.
template <class T>
void pool_backward(const PoolingShape& shape, Planes<const T> dy, const PlaceInWindow* place, int images, Planes<T> dx);

}   // namespace credence
