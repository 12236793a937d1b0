// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/scaled_means.h"

namespace credence {

/// The factor L of one block of Posch and Pilz 2021, w = m + Lx, with the printed signs.
struct NeighbourFactor {
    std::vector<double> diagonal;      ///< a_i = τ m_i sgn(m_{i+1}) t_i, last τ|m_K| t_K [K]
    std::vector<double> subdiagonal;   ///< c_i = τ s_i sgn(m_i) m_{i+1} [K - 1]
};

/// One τ and one correlation ρ of neighbouring weights per block (Posch and Pilz 2021). Weights are
/// neighbours if they are adjacent in the flat vector. Costs O(K): see ScaledMeans.
template <class T>
class Tridiagonal final : public ScaledMeans<T, true> {
public:
    Tridiagonal(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means)
        : ScaledMeans<T, true>(layout, options, means)
    {}
    Covariance covariance() const override;
    std::unique_ptr<VariationalFamily<T>> clone() const override { return std::make_unique<Tridiagonal>(*this); }

    NeighbourFactor neighbour_factor(std::size_t block) const;
    /// LLᵀ of one block.
    NeighbourCovariance neighbour_covariance(std::size_t block) const;
    /// e of one block with w = m(1 + τe).
    /// @param noise  standard normal x of the block [K]
    std::vector<double> relative_noise(std::size_t block, std::span<const T> noise) const;
};

extern template class Tridiagonal<float>;
extern template class Tridiagonal<double>;

}   // namespace credence
