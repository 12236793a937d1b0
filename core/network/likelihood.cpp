// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihood.h"

#include "foundation/elementary.h"
#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "foundation/parallel.h"
#include "network/noise_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <typeinfo>

namespace credence {

std::vector<NoiseModel> listed_noise_models();   // made from network/likelihoods/list.cmake

bool Likelihood::operator==(const Likelihood& other) const
{
    const LikelihoodFamily &a = *family_, &b = *other.family_;
    return typeid(a) == typeid(b) && a.parameters() == b.parameters();
}

template <class T>
void output_curvature_roots(const Likelihood& likelihood, std::span<const T> outputs, int n, int k, std::span<T> roots)
{
    const std::size_t next = static_cast<std::size_t>(n) * k;   // distance between columns
    assert(roots.size() == next * static_cast<std::size_t>(likelihood->curvature_columns(k)));
    parallel_chunks(static_cast<std::size_t>(n), 256, [&](std::size_t begin, std::size_t end) {
        likelihood->curvature_roots(outputs.subspan(begin * k, (end - begin) * k), k, roots.data() + begin * k, next);
    });
}

template void output_curvature_roots(const Likelihood&, std::span<const float>, int, int, std::span<float>);
template void output_curvature_roots(const Likelihood&, std::span<const double>, int, int, std::span<double>);

const std::vector<NoiseModel>& noise_models()
{
    static const std::vector<NoiseModel> all = listed_noise_models();
    return all;
}

const NoiseModel& noise_model(const std::string& id)
{
    if (const auto* found = find_listed(noise_models(), id))
        return *found;
    throw Error("network.noise",
                "network.noise is \"" + id + "\", expected one of " + listed_ids(noise_models()) + ".");
}

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
