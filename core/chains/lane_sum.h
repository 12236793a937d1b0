// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace credence {

/// Σ_{i<n} f(i) in eight partial sums, one vector. The order depends on n alone, not on the memory
/// address. Eigen's reductions begin at an aligned address, so their last digit differs between
/// buffers.
template <class F>
double lane_sum(std::size_t n, const F& f)
{
    constexpr std::size_t width = 8;
    std::array<double, width> lanes{};
    std::size_t i = 0;
    for (; i + width <= n; i += width) {
#pragma omp simd
        for (std::size_t l = 0; l < width; ++l)
            lanes[l] += f(i + l);
    }
    double rest = 0;
    for (; i < n; ++i)
        rest += f(i);
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7])) + rest;
}

inline double lane_mean(std::span<const double> x)
{
    return lane_sum(x.size(), [&](std::size_t i) { return x[i]; }) / static_cast<double>(x.size());
}

/// Σ (x_i − centre)²
inline double squares_about(double centre, std::span<const double> x)
{
    return lane_sum(x.size(), [&](std::size_t i) { return (x[i] - centre) * (x[i] - centre); });
}

}   // namespace credence
