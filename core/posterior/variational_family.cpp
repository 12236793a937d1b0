// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/variational_family.h"

#include "foundation/error.h"
#include "posterior/layer_scale.h"
#include "posterior/mean_field.h"
#include "posterior/options.h"
#include "posterior/point_estimate.h"
#include "posterior/tridiagonal.h"

#include <cassert>

namespace credence {

template <class T>
std::unique_ptr<VariationalFamily<T>> make_posterior(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means)
{
    if (means.size() != layout.size())
        throw Error("The posterior got " + std::to_string(means.size()) + " starting weights, expected " + std::to_string(layout.size()) + ".");
    check_options(options, layout);
    switch (options.family) {
    case Family::point_estimate:
    case Family::laplace:
        return std::make_unique<PointEstimate<T>>(layout, means);
    case Family::bernoulli_dropout:
        return std::make_unique<BernoulliDropout<T>>(layout, means, options.dropout_rate);
    case Family::mean_field:
        return std::make_unique<MeanField<T>>(layout, options, means);
    case Family::layer_scale:
        return std::make_unique<LayerScale<T>>(layout, options, means);
    case Family::tridiagonal:
        return std::make_unique<Tridiagonal<T>>(layout, options, means);
    }
    assert(false);
    return nullptr;
}

template std::unique_ptr<VariationalFamily<float>>  make_posterior(const ParameterLayout&, const PosteriorOptions&, std::span<const float>);
template std::unique_ptr<VariationalFamily<double>> make_posterior(const ParameterLayout&, const PosteriorOptions&, std::span<const float>);

}  // namespace credence
