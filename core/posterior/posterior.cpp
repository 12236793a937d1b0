// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/posterior.h"

namespace credence {

template <class T>
Draw<T> BasicPosterior<T>::make_draw() const
{
    Draw<T> draw;
    draw.weights.resize(layout_.size());
    draw.noise.resize(has_weight_noise() ? layout_.size() : 0);
    return draw;
}

template <class T>
IndependentCovariance BasicPosterior<T>::independent_of_moments() const
{
    std::vector<float> mean(layout_.size()), sd(layout_.size());
    moments(mean, sd);
    std::vector<double> variances(sd.begin(), sd.end());
    for (double& v : variances)
        v *= v;
    return {std::move(variances)};
}

template class BasicPosterior<float>;
template class BasicPosterior<double>;

}   // namespace credence
