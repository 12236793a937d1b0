// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/prior.h"

#include "foundation/elementary.h"

#include <cmath>
#include <numbers>

namespace credence {
namespace {

/// ln N(w; 0, sd²)
double log_normal(double w, double sd)
{
    static const double half_log_two_pi = 0.5 * std::log(2 * std::numbers::pi);
    const double z                      = w / sd;
    return -0.5 * z * z - std::log(sd) - half_log_two_pi;
}

double log_wide(const ScaleMixturePrior& prior, double w)
{
    return std::log(prior.pi) + log_normal(w, prior.sigma_wide);
}
double log_narrow(const ScaleMixturePrior& prior, double w)
{
    return std::log1p(-prior.pi) + log_normal(w, prior.sigma_narrow);
}

}   // namespace

GaussianPrior GaussianPrior::from_precision(double precision, double mean) { return {mean, 1 / std::sqrt(precision)}; }

Prior Prior::same(const ParameterLayout& layout, BlockPrior prior) { return weights_and_biases(layout, prior, prior); }

Prior Prior::weights_and_biases(const ParameterLayout& layout, BlockPrior weights, BlockPrior biases)
{
    Prior prior;
    prior.blocks.reserve(layout.blocks.size());
    for (const Block& block : layout.blocks)
        prior.blocks.push_back(block.kind == BlockKind::biases ? biases : weights);
    return prior;
}

double wide_responsibility(const ScaleMixturePrior& prior, double w)
{
    return sigmoid(log_wide(prior, w) - log_narrow(prior, w));
}

double log_density(const BlockPrior& prior, double w)
{
    if (const auto* gaussian = std::get_if<GaussianPrior>(&prior))
        return log_normal(w - gaussian->mean, gaussian->sd);
    const auto& mixture = std::get<ScaleMixturePrior>(prior);
    return log_add_exp(log_wide(mixture, w), log_narrow(mixture, w));
}

double log_density_gradient(const BlockPrior& prior, double w)
{
    if (const auto* gaussian = std::get_if<GaussianPrior>(&prior))
        return -(w - gaussian->mean) / (gaussian->sd * gaussian->sd);
    const auto& mixture = std::get<ScaleMixturePrior>(prior);
    const double gap    = log_wide(mixture, w) - log_narrow(mixture, w);
    const double wide = mixture.sigma_wide * mixture.sigma_wide, narrow = mixture.sigma_narrow * mixture.sigma_narrow;
    return -w * (sigmoid(gap) / wide + sigmoid(-gap) / narrow);   // σ(-gap) = 1 - R without cancellation
}

}   // namespace credence
