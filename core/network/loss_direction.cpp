// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/loss_direction.h"

#include "foundation/elementary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace credence {

template <class T>
LossDirection loss_direction(std::span<const T> logits, int label, std::span<T> direction)
{
    const auto y = static_cast<std::size_t>(label);
    assert(logits.size() >= 2 && y < logits.size() && direction.size() == logits.size());
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < logits.size(); ++k)
        if (k != y)
            top = std::max(top, static_cast<double>(logits[k]));
    double sum = 0;
    for (std::size_t k = 0; k < logits.size(); ++k)
        if (k != y)
            sum += std::exp(static_cast<double>(logits[k]) - top);
    for (std::size_t k = 0; k < logits.size(); ++k)
        direction[k] = k == y ? T(-1) : static_cast<T>(std::exp(static_cast<double>(logits[k]) - top) / sum);
    const double t = static_cast<double>(logits[y]) - top - std::log(sum);
    return {-softplus(-t), -softplus(t)};
}

template LossDirection loss_direction(std::span<const float>, int, std::span<float>);
template LossDirection loss_direction(std::span<const double>, int, std::span<double>);

}   // namespace credence
