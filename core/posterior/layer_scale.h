// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/scaled_means.h"

namespace credence {

/// One τ for each block: w = m(1 + τε) (Steinbrener et al. 2020, (11)–(31); "Gauss ind." in Posch
/// and Pilz 2021).
template <class T>
class LayerScale final : public ScaledMeans<T, false> {
public:
    LayerScale(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means)
        : ScaledMeans<T, false>(layout, options, means)
    {}
    Covariance covariance() const override { return this->independent_of_moments(); }
    std::unique_ptr<VariationalFamily<T>> clone() const override { return std::make_unique<LayerScale>(*this); }
};

extern template class LayerScale<float>;
extern template class LayerScale<double>;

}   // namespace credence
