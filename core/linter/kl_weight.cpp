// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"
#include "study/method.h"

namespace credence {

using namespace lint_support;

namespace {

// Published tempered posteriors (Posch and Pilz 2021) and presets weight the KL down to 1/100: a
// choice, not a mistake.
constexpr double strongest_kl = 3, weakest_kl = 1e-3;

/// The weight of the KL relative to the mean loss, as a multiple of 1/N.
double kl_share(const Study& study, std::size_t n_training)
{
    const auto& training = study.training;
    return training.kl_weighting == KlWeighting::constant ? training.kl_weight * static_cast<double>(n_training)
                                                          : training.kl_weight;
}

std::optional<Finding> check_kl_weight(const LintCase& lint_case, const std::stop_token&)
{
    if (!is_own_run(lint_case) || !method_of(lint_case.run.experiment->study).has_kl)
        return {};
    const auto n       = lint_case.run.experiment->data->training.n_rows;
    const double share = kl_share(lint_case.run.experiment->study, n);
    if (share >= weakest_kl && share <= strongest_kl)
        return {};
    const bool strong = share > strongest_kl;
    return Finding{
        .severity = strong ? Severity::wrong : Severity::doubtful,
        .title    = strong ? "The KL divergence is not weighted by 1/N: the prior counts " + number(share) + " times."
                    : share == 0 ? "The KL divergence is left out: the prior has no effect."
                                 : "The KL divergence is not weighted by 1/N: the prior hardly counts.",
        .evidence = "Weight of the KL relative to the mean loss: " + number(share / static_cast<double>(n))
                    + ", expected 1/N = " + number(1 / static_cast<double>(n)) + " for the "
                    + counted(static_cast<long>(n), "training row") + "; values from " + number(weakest_kl) + "/N to "
                    + number(strongest_kl) + "/N are accepted as a choice.",
        .reason = strong ? "The prior dominates as if there were fewer data than there are: the network underfits and "
                           "its uncertainty is too large."
                         : "Without the pull of the prior, the spreads shrink to what the data alone support: the "
                           "posterior is overconfident, most of all away from the data.",
        .remedy = {.label    = "Set the KL weight to 1/N",
                   .settings = {{"training.kl_weighting", "uniform"}, {"training.kl_weight", "1"}}}};
}

}   // namespace

LintRule kl_weight_rule()
{
    return {
        .id    = "kl_weight",
        .title = "KL not weighted by 1/N",
        .what =
            "With weight 1/N for the KL divergence relative to the mean loss of a minibatch, N the number of training "
            "rows, the objective is the negative ELBO per row (Blundell et al. 2015, (8)). Wrong above 3/N, doubtful "
            "below 0.001/N or without the KL. Weights in between, such as the 0.01/N of Posch and Pilz 2021, are "
            "deliberately tempered posteriors. Skipped for methods without a KL.",
        .idea      = "Blundell et al. 2015, (8)",
        .threshold = "chosen for Credence: 3/N and 0.001/N",
        .check     = check_kl_weight};
}

}   // namespace credence
