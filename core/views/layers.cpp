// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/view_support.h"

#include "figures/layers.h"
#include "foundation/number_text.h"
#include "runs/laplace_fit.h"
#include "study/method.h"

namespace credence {

using namespace view_support;

namespace {

/// The prior of each block; empty if there is none. A Laplace approximation has the prior of its
/// precision, on the weights that it treats as uncertain.
std::vector<BlockPrior> priors_of(const RunSnapshot& moment)
{
    if (method_of(moment.experiment->study).under_prior())
        return prior_at(moment).blocks;
    if (const auto fitted = laplace_of(*moment.snapshot); fitted && fitted->curvature()->first_weight() == 0)
        return std::vector<BlockPrior>(fitted->layout().blocks.size(),
                                       GaussianPrior::from_precision(fitted->precision()));
    return {};
}

/// The learned parameters of a prior; for a Gaussian the marks show them.
std::string learned_words(const Prior& prior)
{
    const auto* mixture = std::get_if<ScaleMixturePrior>(&prior.blocks.front());
    if (!mixture)
        return " The standard deviations of the prior are learned.";
    return " The prior is learned: π = " + number_text(mixture->pi, 3) + ", σ₁ = " + number_text(mixture->sigma_wide, 3)
           + ", σ₂ = " + number_text(mixture->sigma_narrow, 3) + ".";
}

std::optional<Chart> make_layers(const RunSnapshot& moment, const ViewOptions&, const std::stop_token&)
{
    const Layers layers{.blocks = moment.snapshot->posterior->describe(), .priors = priors_of(moment)};
    Chart chart = to_chart(layers);
    if (learns_prior(moment.experiment->study))
        chart.caption += learned_words(prior_at(moment));
    return with_setting(std::move(chart), moment);
}

}   // namespace

View layers_view()
{
    return {
        .id    = "layers",
        .title = "Layers",
        .help =
            "The current uncertainty of the weights and biases of each layer. Families with one τ per block: each "
            "weight has standard deviation τ|m|, where m is its mean. If τ is above 1, a typical weight can easily "
            "change sign. ρ is the correlation of neighbouring weights, between −½ and ½ (tridiagonal family). Other "
            "families show the medians of σ and σ/|μ| over the block. Open marks show the prior's standard "
            "deviation; a block at its prior has learned little. Source: Posch and Pilz 2021, Table II; Steinbrener "
            "et al. 2020.",
        .cost = Cost::quick,
        .make = make_layers};
}

}   // namespace credence
