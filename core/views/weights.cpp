// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"
#include "views/weight_moments.h"

#include "figures/weights.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_weights(const RunMoment& moment, const ViewOptions& options, const std::stop_token&)
{
    const auto& posterior = *moment.snapshot->posterior;
    const auto moments    = moments_of(posterior);
    return with_setting(
        to_chart(weight_histograms(moments.mean, moments.sd, one_draw(posterior, moment.experiment->study.seed),
                                   options.prune_share)),
        moment);
}

}   // namespace

View weights_view()
{
    return {
        .id    = "weights",
        .title = "Weights",
        .help =
            "Histograms over all weights: their means, one draw of them, and their standard deviations (bins by Freedman and Diaconis). A draw spreads wider than the means: that "
            "is the uncertainty. The pruning slider removes the weights with the smallest |μ|/σ, which say least. Source: Blundell et al. 2015, Fig. 3 and Table 2.",
        .cost = Cost::quick,
        .make = make_weights};
}

}   // namespace credence
