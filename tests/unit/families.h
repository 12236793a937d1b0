// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/mean_field.h"
#include "posterior/point_estimate.h"
#include "posterior/scaled_means.h"

#include <memory>
#include <stdexcept>

namespace credence {

/// The variational family of options.family in float or double, to test their formulas with; the
/// program makes them by Method::start.
template <class T>
std::unique_ptr<VariationalFamily<T>> make_posterior(const ParameterLayout& layout, const PosteriorOptions& options,
                                                     std::span<const float> means)
{
    if (options.family == "point_estimate")
        return std::make_unique<PointEstimate<T>>(layout, means);
    if (options.family == "bernoulli_dropout")
        return std::make_unique<BernoulliDropout<T>>(layout, means, options.dropout_rate);
    if (options.family == "mean_field")
        return std::make_unique<MeanField<T>>(layout, options, means);
    if (options.family == "layer_scale")
        return std::make_unique<LayerScale<T>>(layout, options, means);
    if (options.family == "tridiagonal")
        return std::make_unique<Tridiagonal<T>>(layout, options, means);
    throw std::invalid_argument(options.family);
}

}   // namespace credence
