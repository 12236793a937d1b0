// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/pruning.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace credence {

template <class T>
std::vector<std::size_t> prune_by_snr(std::span<const T> mean, std::span<const T> sd, double fraction)
{
    assert(mean.size() == sd.size());
    if (!(fraction >= 0 && fraction <= 1))
        throw Error("The share of weights to prune is " + plain_text(fraction) + ", expected a number in [0, 1].");
    std::vector<T> ratio(mean.size());
    for (std::size_t i = 0; i < ratio.size(); ++i)
        ratio[i] = mean[i] == 0
                       ? 0
                       : std::fabs(mean[i]) / sd[i];   // a weight that is 0 says nothing, however surely: not 0/0
    std::vector<std::size_t> order(ratio.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto n_removed = static_cast<std::ptrdiff_t>(std::floor(fraction * static_cast<double>(ratio.size())));
    const auto earlier   = [&](std::size_t a, std::size_t b) {
        return ratio[a] < ratio[b] || (ratio[a] == ratio[b] && a < b);
    };
    if (n_removed < std::ssize(order))
        std::nth_element(order.begin(), order.begin() + n_removed, order.end(), earlier);
    order.resize(static_cast<std::size_t>(n_removed));
    std::sort(order.begin(), order.end());
    return order;
}

template std::vector<std::size_t> prune_by_snr(std::span<const float>, std::span<const float>, double);
template std::vector<std::size_t> prune_by_snr(std::span<const double>, std::span<const double>, double);

}   // namespace credence
