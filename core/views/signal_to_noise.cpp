// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"
#include "views/weights.h"

#include "foundation/error.h"

namespace credence {

using namespace view_support;

namespace {

/// Weights without spread have no signal-to-noise ratio.
Moments uncertain_part(Moments all)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < all.sd.size(); ++i)
        if (all.sd[i] > 0) {
            all.mean[kept] = all.mean[i];
            all.sd[kept++] = all.sd[i];
        }
    all.mean.resize(kept);
    all.sd.resize(kept);
    return all;
}

std::optional<Chart> make_signal_to_noise(const RunSnapshot& run, const ViewOptions& options, const std::stop_token&)
{
    if (!run.snapshot->posterior->has_weight_noise())
        throw Error(before_curvature);
    const auto all       = moments_of(*run.snapshot->posterior);
    const auto pruning   = prune(options.prune, run.snapshot->posterior->layout(), all.mean, all.sd);
    const auto uncertain = uncertain_part(all);
    return with_setting(to_chart(signal_to_noise_figure(uncertain.mean, uncertain.sd, pruning)), run);
}

}   // namespace

View signal_to_noise_view()
{
    return {
        .id    = "signal_to_noise",
        .title = "Signal-to-noise",
        .group = ViewGroup::weights,
        .help =
            "The signal-to-noise ratio |μ|/σ of every weight in decibels, 10 log10(|μ|/σ): density and distribution "
            "function. At 0 dB the mean equals the standard deviation. If the density has two modes, many weights can "
            "be pruned without harm. The vertical line is the cut of the pruning slider if it prunes by |μ|/σ over all "
            "layers; weights to its left are removed. Source: Blundell et al. 2015, Fig. 4.",
        .cost         = Cost::quick,
        .when_pruned  = WhenPruned::shows,
        .many_targets = ManyTargets::all,
        .why_not      = why_no_spread,
        .make         = make_signal_to_noise};
}

}   // namespace credence
