// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/image_shape.h"
#include "foundation/wide_product.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace credence {

/// Several images in memory: each plane (one channel of one image) is contiguous, row by row. The
/// order of planes is arbitrary.
template <class T>
struct Planes {
    T* data                = nullptr;
    std::ptrdiff_t channel = 0;   ///< distance between channels
    std::ptrdiff_t image   = 0;   ///< distance between images

    T* plane(int c, int b) const { return data + c * channel + b * image; }
    operator Planes<const T>() const requires(!std::is_const_v<T>) { return {data, channel, image}; }
};

template <class T>
void copy_planes(Planes<const T> from, ImageShape shape, int images, Planes<T> to)
{
    for (int c = 0; c < shape.channels; ++c)
        for (int b = 0; b < images; ++b)
            std::copy_n(from.plane(c, b), shape.height * shape.width, to.plane(c, b));
}

/// Arranges planes image by image, as data sets and dense layers do.
template <class T>
Planes<T> image_by_image(T* data, ImageShape shape)
{
    return {data, std::ptrdiff_t{shape.height} * shape.width, shape.size()};
}

/// True if the images are contiguous, one after another.
template <class T>
bool is_one_run(Planes<T> planes, ImageShape shape)
{
    const std::ptrdiff_t places = std::ptrdiff_t{shape.height} * shape.width;
    return planes.image == shape.size() && (shape.channels == 1 || planes.channel == places);
}

/// True if the vectors of several examples are stored number by number, as channels_as_rows does.
template <class T>
bool is_unit_by_unit(Planes<T> planes, ImageShape shape)
{
    return shape.height * shape.width == 1 && planes.image == 1;
}

/// Calls body(numbers of each argument, count) for each plane, or for as many planes as are
/// contiguous in every argument.
template <class Body, class... T>
void for_each_run(ImageShape shape, int images, Body body, Planes<T>... planes)
{
    const int places = shape.height * shape.width;
    if ((is_one_run(planes, shape) && ...))
        return body(planes.data..., static_cast<std::size_t>(images) * shape.size());
    if ((is_unit_by_unit(planes, shape) && ...)) {
        for (int c = 0; c < shape.channels; ++c)
            body(planes.plane(c, 0)..., static_cast<std::size_t>(images));
        return;
    }
    for (int c = 0; c < shape.channels; ++c)
        for (int b = 0; b < images; ++b)
            body(planes.plane(c, b)..., static_cast<std::size_t>(places));
}

/// Selects one of several images.
template <class T>
Planes<T> only_image(Planes<T> planes, int image)
{
    return {planes.plane(0, image), planes.channel, planes.image};
}

/// Arranges planes channel by channel and then by image: the result of a product with the kernels,
/// [channels × (images × places)].
template <class T>
Planes<T> channel_by_channel(T* data, ImageShape shape, int images)
{
    const std::ptrdiff_t places = std::ptrdiff_t{shape.height} * shape.width;
    return {data, images * places, places};
}

/// The same in the layout of wide products: each channel is a row of padded_row numbers.
template <class T>
Planes<T> channels_as_rows(T* data, ImageShape shape, int images)
{
    const std::ptrdiff_t places = std::ptrdiff_t{shape.height} * shape.width;
    return {data, padded_row<std::remove_const_t<T>>(images * places), places};
}

}   // namespace credence
