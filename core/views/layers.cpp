// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"

#include "figures/layers.h"
#include "runs/laplace_fit.h"
#include "study/method.h"

namespace credence {

using namespace view_support;

namespace {

/// The prior of each block; empty where there is none. A Laplace approximation has that of its precision, on the weights that it makes uncertain.
std::vector<BlockPrior> priors_of(const RunMoment& moment)
{
    if (method_of(moment.experiment->study).under_prior())
        return moment.experiment->prior.blocks;
    if (const auto fitted = laplace_of(*moment.snapshot); fitted && fitted->curvature()->first_weight() == 0)
        return std::vector<BlockPrior>(fitted->layout().blocks.size(),
                                       GaussianPrior::from_precision(fitted->precision()));
    return {};
}

std::optional<Chart> make_layers(const RunMoment& moment, const ViewOptions&, const std::stop_token&)
{
    const Layers layers{.blocks = moment.snapshot->posterior->describe(), .priors = priors_of(moment)};
    return with_setting(to_chart(layers), moment);
}

}   // namespace

View layers_view()
{
    return {
        .id    = "layers",
        .title = "Layers",
        .help =
            "How uncertain the weights and biases of each layer are now. Families with one τ per block: each weight has standard deviation τ|m|, m its mean; τ above 1 means "
            "that a typical weight may well change its sign. ρ is the correlation of neighbouring weights, between −½ and ½ (tridiagonal family). For other families "
            "the medians of σ and σ/|μ| over the block. Open marks: the prior's standard deviation; a block that sits on its prior has learned little. Source: "
            "Posch and Pilz 2021, Table II; Steinbrener et al. 2020.",
        .cost = Cost::quick,
        .make = make_layers};
}

}   // namespace credence
