// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reasons.h"
#include "views/view_support.h"
#include "views/weight_moments.h"

#include "figures/weights.h"
#include "foundation/error.h"

namespace credence {

using namespace view_support;

namespace {

/// Weights without a spread say nothing about signal and noise.
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

std::optional<Chart> make_signal_to_noise(const RunMoment& moment, const ViewOptions& options, const std::stop_token&)
{
    if (!moment.snapshot->posterior->has_weight_noise())
        throw Error(before_curvature);
    const auto moments = uncertain_part(moments_of(*moment.snapshot->posterior));
    return with_setting(to_chart(signal_to_noise_figure(moments.mean, moments.sd, options.prune_share)), moment);
}

}   // namespace

View signal_to_noise_view()
{
    return {
        .id    = "signal_to_noise",
        .title = "Signal-to-noise",
        .help =
            "The signal-to-noise ratio |μ|/σ of every weight in decibel, 10 log10(|μ|/σ): density and distribution function. 0 dB: the mean is as large as the standard "
            "deviation. Two humps mean that many weights can be pruned without harm. The vertical line is the pruning slider's cut. Source: Blundell et al. 2015, Fig. 4.",
        .cost    = Cost::quick,
        .why_not = why_no_spread,
        .make    = make_signal_to_noise};
}

}   // namespace credence
