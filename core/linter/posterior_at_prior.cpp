// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/one_line.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "study/method.h"

#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr double all_but_few  = 0.995;   // share of a block's weights: one active unit of 200 already exceeds the rest
constexpr double near_in_mean = 0.25, near_in_sd = 0.15;   // in standard deviations of the prior

/// The share of a block's weights whose distribution is that of the prior.
double share_at_prior(const Block& block, const GaussianPrior& prior, std::span<const float> mean,
                      std::span<const float> sd)
{
    std::size_t n = 0;
    for (std::size_t i = block.begin; i < block.end(); ++i)
        n += std::fabs(static_cast<double>(mean[i]) - prior.mean) <= near_in_mean * prior.sd
             && std::fabs(static_cast<double>(sd[i]) - prior.sd) <= near_in_sd * prior.sd;
    return static_cast<double>(n) / static_cast<double>(block.size);
}

std::optional<Finding> check_posterior_at_prior(const LintCase& lint_case, const std::stop_token&)
{
    if (!is_a_course(lint_case))
        return {};
    const auto& experiment = *lint_case.run.experiment;
    const auto& posterior  = *lint_case.run.snapshot->posterior;
    const auto& method     = method_of(experiment.study);
    if (!method.has_kl || method.ends_with_draws || learns_prior(experiment.study) || !experiment.prior.means.empty())
        return {};
    const auto& layout = posterior.layout();
    std::vector<float> mean(layout.size()), sd(layout.size());
    posterior.moments(mean, sd);
    std::vector<std::string> names;
    double prior_sd = 0;
    for (std::size_t b = 0; b < layout.blocks.size() && b < experiment.prior.blocks.size(); ++b) {
        const auto& block = layout.blocks[b];
        const auto* prior = std::get_if<GaussianPrior>(&experiment.prior.blocks[b]);
        if (!prior || block.kind != BlockKind::weights || share_at_prior(block, *prior, mean, sd) < all_but_few)
            continue;
        names.push_back(block.name);
        prior_sd = prior->sd;
    }
    if (names.empty())
        return {};
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The posterior of " + some_names(names) + " still equals the prior.",
        .evidence = "At least " + percent(all_but_few) + " of these weights have a mean within " + number(near_in_mean)
                    + " and a standard deviation within " + percent(near_in_sd) + " of the prior's, N(0, "
                    + number(prior_sd) + "²); expected weights that the data have moved.",
        .reason =
            "The layer has learned nothing: the KL divergence to a narrow prior outweighs the data, or the layer is "
            "far too wide. Predictions then follow the prior for every input.",
        .remedy = {.label = "Show prior, start and posterior", .view = "prior_and_start"}};
}

}   // namespace

LintRule posterior_at_prior_rule()
{
    return {
        .id    = "posterior_at_prior",
        .title = "Posterior equal to its prior in a layer",
        .what =
            "Variational posteriors with a Gaussian prior: doubtful if at least 99.5 % of a layer's weights have a "
            "mean within ¼ of the prior's standard deviation and a standard deviation within 15 % of it. Single units "
            "at the prior are normal: mean field prunes a network that is wider than necessary. If a whole layer is at "
            "the prior, the function no longer depends on the input (Coker et al. 2022). Skipped for learned priors "
            "and mixtures.",
        .idea = "Coker et al. 2022",
        .threshold =
            "chosen for Credence: 99.5 % of a layer's weights, within ¼ and 15 % of the prior's standard deviation",
        .check = check_posterior_at_prior};
}

}   // namespace credence
