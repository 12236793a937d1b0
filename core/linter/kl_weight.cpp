// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"
#include "study/method.h"

namespace credence {

using namespace lint_support;

namespace {

// Tempered posteriors down to 1/100 of the KL are published (Posch and Pilz 2021), and presets have them: a choice, no mistake.
constexpr double strongest_kl = 3, weakest_kl = 1e-3;

/// The weight of the KL beside the mean loss as a multiple of 1/N.
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
                    : share == 0 ? "The KL divergence is left out: the prior plays no part."
                                 : "The KL divergence is not weighted by 1/N: the prior hardly counts.",
        .evidence = "Weight of the KL beside the mean loss: " + number(share / static_cast<double>(n))
                    + ", expected 1/N = " + number(1 / static_cast<double>(n)) + " for the "
                    + counted(static_cast<long>(n), "training row") + "; from " + number(weakest_kl) + "/N to "
                    + number(strongest_kl) + "/N it is taken for a choice.",
        .reason = strong ? "The posterior is held at the prior as if there were fewer data than there are: it fits too "
                           "little and doubts too much."
                         : "Without the pull of the prior the spreads shrink to what the data alone ask for: the "
                           "posterior is too sure, most of all away from the data.",
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
            "Beside the mean loss of a minibatch the KL divergence to the prior has the weight 1/N, N the number of training "
            "rows: then what is minimised is the negative ELBO per row (Blundell et al. 2015, (8)). Wrong above 3/N, doubtful "
            "below 0.001/N or without the KL. Weights between, such as the 0.01/N of Posch and Pilz 2021, are tempered "
            "posteriors that somebody chose. Silent on methods without a KL.",
        .idea      = "Blundell et al. 2015, (8)",
        .threshold = "chosen for Credence: 3/N and 0.001/N",
        .check     = check_kl_weight};
}

}   // namespace credence
