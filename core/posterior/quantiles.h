// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/parallel.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace credence {

/// The median over a block, for `describe`. For blocks with more than 4,096 weights it uses that
/// many at equal distances, since `describe` runs at every recorded step of a training and must not
/// slow it down.
template <class ValueAt>
double median_over_block(std::size_t n, const ValueAt& value_at)
{
    constexpr std::size_t most = 4096;
    if (n == 0)
        return 0;
    const std::size_t count = std::min(n, most);
    std::vector<float> values(count);
    for (std::size_t k = 0; k < count; ++k)
        values[k] = value_at(n <= most ? k : k * n / most);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (count % 2 != 0)
        return *middle;
    return 0.5 * (static_cast<double>(*middle) + static_cast<double>(*std::max_element(values.begin(), middle)));
}

/// σ/|μ| as displayed: infinite if only the mean is 0, and 0 if both are 0.
template <class T>
float relative_spread(T sd, T mean)
{
    return sd == 0 && mean == 0 ? 0 : static_cast<float>(sd / std::fabs(mean));
}

/// (1/n) Σ |x_k|
template <class T>
double mean_of_absolute(const T* x, std::size_t n)
{
    if (n == 0)
        return 0;
    return parallel_sum(
               n, elementwise_chunk,
               [&](std::size_t begin, std::size_t end) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::size_t k = begin; k < end; ++k)
            sum += static_cast<double>(std::fabs(x[k]));
        return sum;
               })
        / static_cast<double>(n);
}

}   // namespace credence
