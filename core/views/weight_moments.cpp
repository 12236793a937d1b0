// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/weight_moments.h"

#include <algorithm>

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

}   // namespace credence::view_support
