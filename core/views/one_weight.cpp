// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"
#include "views/weights.h"

#include "foundation/error.h"
#include "runs/laplace_fit.h"

#include <algorithm>

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_one_weight(const RunSnapshot& run, const ViewOptions& options, const std::stop_token&)
{
    const auto& posterior = *run.snapshot->posterior;
    const auto& blocks    = posterior.layout().blocks;
    const auto block      = std::find_if(blocks.begin(), blocks.end(), [&](const Block& b) {
        return options.weight >= b.begin && options.weight < b.end();
    });
    if (block == blocks.end())
        throw Error("Weight " + std::to_string(options.weight) + " was requested, this network has weights 0 to "
                    + std::to_string(posterior.layout().size() - 1) + ".");
    if (!posterior.has_weight_noise())
        throw Error(before_curvature);
    const auto moments = moments_of(posterior);
    BlockPrior prior   = prior_at(run).blocks[static_cast<std::size_t>(block - blocks.begin())];
    if (const auto fitted = laplace_of(*run.snapshot)) {
        if (options.weight < fitted->curvature()->first_weight())
            return Chart{.id      = "one_weight",
                         .title   = "One weight",
                         .message = "Weight " + std::to_string(options.weight)
                                    + " stays at its MAP value. Only the last layer is uncertain, weights "
                                    + std::to_string(fitted->curvature()->first_weight()) + " and above."};
        prior = GaussianPrior::from_precision(fitted->precision());
    }
    const OneWeight weight{.index = options.weight,
                           .block = block->name,
                           .mean  = moments.mean[options.weight],
                           .sd    = moments.sd[options.weight],
                           .prior = prior};
    return with_setting(to_chart(weight), run);
}

}   // namespace

View one_weight_view()
{
    return {
        .id    = "one_weight",
        .title = "One weight",
        .group = ViewGroup::weights,
        .help = "The posterior density of one weight, N(μ, σ²), over its prior. If it is much narrower than the prior, "
                "the data determine the weight. If it equals the prior, the network does not use the weight.",
        .cost         = Cost::quick,
        .many_targets = ManyTargets::all,
        .why_not      = why_no_spread,
        .make         = make_one_weight};
}

}   // namespace credence
