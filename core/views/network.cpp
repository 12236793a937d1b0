// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/layers.h"
#include "views/network_picture.h"
#include "views/view_support.h"
#include "views/weights.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_network(const RunSnapshot& run, const ViewOptions& options, const std::stop_token&)
{
    const auto& posterior = *run.snapshot->posterior;
    const auto moments    = moments_of(posterior);
    auto picture          = network_picture(run.experiment->model.architecture, moments.mean, moments.sd);
    if (const auto priors = priors_of(run); priors.size() == posterior.layout().blocks.size())
        for (std::size_t b = 0; b < priors.size(); ++b)
            for (int l = 0; l < posterior.layout().n_layers(); ++l)
                if (posterior.layout().blocks[b].begin == posterior.layout().layer(l).weights.begin)
                    picture.priors.push_back(priors[b]);
    return with_setting(to_chart(picture, edge_with(picture, posterior.layout(), options.weight)), run);
}

}   // namespace

View network_view()
{
    return {
        .id    = "network",
        .title = "Network",
        .group = ViewGroup::weights,
        .help =
            "The network from its inputs (left) to its outputs (right). Each line is a weight: blue if its posterior "
            "mean μ is positive, orange if it is negative, and its width grows with |μ|/σ, so thin lines are weights "
            "that could just as well be 0. If the weights have no spread, the width shows |μ|. A unit is larger if the "
            "weights into it have a larger mean σ. Layers of more than 12 units and convolutions are blocks, and a "
            "line to a block stands for all its weights, with the mean |μ| over the mean σ as its width. Point at a "
            "line or a unit for its numbers, next to those of the prior. Click a line to select its weight, also for "
            "the view One weight. Biases are not drawn. Source of |μ|/σ: Blundell et al. 2015, section 5.1. A bracket "
            "above blocks is a skip connection of a residual network.",
        .cost = Cost::quick,
        .make = make_network};
}

}   // namespace credence
