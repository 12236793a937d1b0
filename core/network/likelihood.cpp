// SPDX-License-Identifier: GPL-3.0-or-later
#include "network/likelihood.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "foundation/parallel.h"
#include "network/noise_model.h"

#include <cassert>
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

}   // namespace credence
