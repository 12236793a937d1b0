// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/variational_family.h"

#include "foundation/error.h"
#include "posterior/prior.h"

#include <cassert>

namespace credence {

template <class T>
VariationalFamily<T>::VariationalFamily(const ParameterLayout& layout, std::span<const float> means)
    : BasicPosterior<T>(layout)
{
    if (means.size() != layout.size())
        throw Error("The posterior got " + std::to_string(means.size()) + " starting weights, expected "
                    + std::to_string(layout.size()) + ".");
    parameters_.assign(means.begin(), means.end());
}

template <class T>
void VariationalFamily<T>::learn_prior(const Prior& prior)
{
    assert(n_prior_ == 0);
    const std::vector<double> more = learned_parameters(prior);
    for (const double parameter : more)
        parameters_.push_back(static_cast<T>(parameter));
    n_prior_ = more.size();
}

template class VariationalFamily<float>;
template class VariationalFamily<double>;

}   // namespace credence
