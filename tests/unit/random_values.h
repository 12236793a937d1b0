// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "random/noise.h"

#include <span>
#include <vector>

namespace credence {

/// Independent numbers from N(0, scale²), the same at every call.
template <class T = double>
std::vector<T> normals(std::size_t n, std::uint64_t seed, double scale = 1)
{
    std::vector<T> values(n);
    standard_normals({seed, Stream::data, 0}, 0, std::span<T>(values));
    for (T& value : values)
        value *= static_cast<T>(scale);
    return values;
}

}   // namespace credence
