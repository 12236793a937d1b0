// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/neighbour_correlation.h"

namespace credence {

std::size_t correlation_prefix_capacity(double rho, std::size_t K)
{
    // A bound for all |ρ| allowed by the guard |γ| <= 10, so that scratch memory does not grow
    // while ρ changes.
    constexpr double largest_usual_rho = 0.49996;
    constexpr std::size_t usual_length = 2048;
    if (std::fabs(rho) <= largest_usual_rho)
        return std::min(K, usual_length);
    CorrelationStep step;
    for (std::size_t length = 1; length < K; ++length) {
        const CorrelationStep following = step.next(rho);
        if (following == step)
            return length;
        step = following;
    }
    return K;
}

double log_det_correlation(double rho, std::size_t K)
{
    CorrelationStep step;
    double sum = 0;
    for (std::size_t j = 0; j < K; ++j) {
        const double term               = std::log1p(-step.p);
        const CorrelationStep following = step.next(rho);
        if (following == step)
            return sum + static_cast<double>(K - j) * term;
        sum += term;
        step = following;
    }
    return sum;
}

std::vector<double> squared_correlations(double rho, std::size_t K)
{
    std::vector<double> r_squared;
    r_squared.reserve(K);
    CorrelationStep step;
    for (std::size_t j = 0; j < K; ++j, step = step.next(rho))
        r_squared.push_back(step.p);
    return r_squared;
}

}   // namespace credence
