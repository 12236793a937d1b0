// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace credence {

// Softmax and its logarithm in double, without overflow. The training loss and the plots have
// separate float kernels.

/// ln Σ e^z. The largest term is handled separately so that the small contribution of the other
/// terms keeps its digits. −inf if all terms are −inf.
inline double log_sum_exp(std::span<const double> z)
{
    const auto top = std::max_element(z.begin(), z.end());
    if (std::isinf(*top))
        return *top;
    double rest = 0;
    for (auto one = z.begin(); one != z.end(); ++one)
        if (one != top)
            rest += std::exp(*one - *top);
    return *top + std::log1p(rest);
}

/// z ← ln softmax(z) = z − ln Σ e^z. A logit 1,000 below the largest gets the log probability
/// −1,000. Some logits can be −inf, but not all.
inline void to_log_softmax(std::span<double> z)
{
    const auto top_at    = static_cast<std::size_t>(std::max_element(z.begin(), z.end()) - z.begin());
    const double largest = z[top_at];
    double rest          = 0;
    for (std::size_t k = 0; k < z.size(); ++k) {
        z[k] -= largest;
        if (k != top_at)
            rest += std::exp(z[k]);
    }
    const double above = std::log1p(rest);
    for (double& one : z)
        one -= above;
}

/// to ← ln softmax of each row of the logits [rows × classes].
inline void log_softmax_rows(std::span<const float> logits, std::size_t classes, std::span<double> to)
{
    std::copy(logits.begin(), logits.end(), to.begin());
    for (std::size_t first = 0; first < to.size(); first += classes)
        to_log_softmax(to.subspan(first, classes));
}

inline void to_softmax(std::span<double> z)
{
    const double largest = *std::max_element(z.begin(), z.end());
    double sum           = 0;
    for (double& one : z)
        sum += one = std::exp(one - largest);
    for (double& one : z)
        one /= sum;
}

inline std::vector<double> softmax(std::span<const double> logits)
{
    std::vector<double> p(logits.begin(), logits.end());
    to_softmax(p);
    return p;
}

}   // namespace credence
