// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/weight_moments.h"

#include "figures/weights.h"

#include <algorithm>
#include <utility>

namespace credence::view_support {

Moments moments_of(const Posterior& posterior)
{
    const std::size_t n = posterior.layout().size();
    Moments out{std::vector<float>(n), std::vector<float>(n)};
    posterior.moments(out.mean, out.sd);
    if (!posterior.has_weight_noise())
        std::fill(out.sd.begin(), out.sd.end(), 0.0f);
    return out;
}

std::vector<float> one_draw(const Posterior& posterior, std::uint64_t seed)
{
    if (!posterior.has_weight_noise())
        return {};
    auto draw = posterior.make_draw();
    posterior.draw({seed, Stream::figures, 0}, draw);
    return {draw.weights.begin(), draw.weights.end()};
}

WeightsOfRun weights_of_run(const Posterior& posterior, std::uint64_t seed, const PruneRule& rule, std::string name)
{
    const auto moments = moments_of(posterior);
    const auto pruning = prune(rule, posterior.layout(), moments.mean, moments.sd);
    const auto draw    = one_draw(posterior, seed);
    WeightsOfRun of{
        .name = std::move(name), .drawn = !draw.empty(), .n_removed = pruning.n_removed, .removed_by = pruning.rule};
    const auto& weights = of.drawn ? draw : moments.mean;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (!pruning.removed[i])
            of.values.push_back(static_cast<double>(weights[i]));
    return of;
}

}   // namespace credence::view_support
