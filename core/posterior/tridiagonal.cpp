// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/tridiagonal.h"

#include "foundation/elementary.h"

#include <cassert>

namespace credence {

template <class T>
NeighbourFactor Tridiagonal<T>::neighbour_factor(std::size_t b) const
{
    const Block& block = this->layout_.blocks[b];
    const T* const m   = this->parameters_.data() + block.begin;
    const double tau = this->tau(b), rho = this->rho(b);
    const auto r_squared = squared_correlations(rho, block.size);
    NeighbourFactor factor;
    for (std::size_t i = 0; i < block.size; ++i) {
        const bool last = i + 1 == block.size;
        const double t = std::sqrt(1 - r_squared[i]), own = m[i], next = last ? own : static_cast<double>(m[i + 1]);
        factor.diagonal.push_back(tau * own * sign(next) * t);
        if (!last)
            factor.subdiagonal.push_back(tau * rho / t * sign(own) * next);
    }
    return factor;
}

template <class T>
NeighbourCovariance Tridiagonal<T>::neighbour_covariance(std::size_t b) const
{
    const NeighbourFactor factor = neighbour_factor(b);
    const std::size_t K          = factor.diagonal.size();
    NeighbourCovariance covariance;
    for (std::size_t i = 0; i < K; ++i) {
        const double a = factor.diagonal[i], c_before = i > 0 ? factor.subdiagonal[i - 1] : 0;
        covariance.diagonal.push_back(a * a + c_before * c_before);
        if (i + 1 < K)
            covariance.off_diagonal.push_back(a * factor.subdiagonal[i]);
        covariance.log_determinant += 2 * std::log(std::fabs(a));
    }
    covariance.log_det_correlation = log_det_correlation(this->rho(b), K);
    return covariance;
}

template <class T>
Covariance Tridiagonal<T>::covariance() const
{
    NeighbourCovariances all;
    for (std::size_t b = 0; b < this->layout_.blocks.size(); ++b)
        all.blocks.push_back(neighbour_covariance(b));
    return all;
}

template <class T>
std::vector<double> Tridiagonal<T>::relative_noise(std::size_t b, std::span<const T> noise) const
{
    const Block& block = this->layout_.blocks[b];
    assert(noise.size() == block.size);
    const NeighbourFactor factor = neighbour_factor(b);
    const T* const m             = this->parameters_.data() + block.begin;
    std::vector<double> e;
    for (std::size_t i = 0; i < block.size; ++i) {
        const double before = i > 0 ? factor.subdiagonal[i - 1] * static_cast<double>(noise[i - 1]) : 0;
        e.push_back((factor.diagonal[i] * static_cast<double>(noise[i]) + before)
                    / (this->tau(b) * static_cast<double>(m[i])));
    }
    return e;
}

template class Tridiagonal<float>;
template class Tridiagonal<double>;

}   // namespace credence
