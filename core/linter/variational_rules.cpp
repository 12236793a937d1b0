// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "foundation/text.h"
#include "linter/evidence.h"
#include "linter/lint.h"
#include "runs/changed_points.h"
#include "study/method.h"

#include <algorithm>
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
    if (!method.has_kl() || method.posterior.is_sample_set || learns_prior(experiment.study)
        || !experiment.prior.means.empty())
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
        .severity = Severity::warning,
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
            "Variational posteriors with a Gaussian prior: warning if at least 99.5 % of a layer's weights have a "
            "mean within ¼ of the prior's standard deviation and a standard deviation within 15 % of it. Single units "
            "at the prior are normal: mean field prunes a network that is wider than necessary. If a whole layer is at "
            "the prior, the function no longer depends on the input (Coker et al. 2022). Skipped for learned priors "
            "and mixtures.",
        .idea = "Coker et al. 2022",
        .threshold =
            "chosen for Credence: 99.5 % of a layer's weights, within ¼ and 15 % of the prior's standard deviation",
        .check = check_posterior_at_prior};
}

namespace {

constexpr double least_move =
    0.005;   // change of means relative to the size of the initial weights; change of ln τ and ln σ

/// Weight blocks whose means have not moved.
std::vector<std::string> blocks_at_their_start(const RunSnapshot& run)
{
    const auto before = run.experiment->start->means(), after = run.snapshot->posterior->means();
    std::vector<std::string> names;
    if (before.size() != after.size())
        return names;
    for (const auto& block : run.snapshot->posterior->layout().blocks) {
        double moved = 0, size = 0;
        for (std::size_t i = block.begin; i < block.end(); ++i) {
            moved += std::pow(static_cast<double>(after[i]) - static_cast<double>(before[i]), 2);
            size += std::pow(static_cast<double>(before[i]), 2);
        }
        if (block.kind == BlockKind::weights && size > 0 && std::sqrt(moved / size) < least_move)
            names.push_back(block.name);
    }
    return names;
}

/// Weight blocks whose spread was the same at every recorded step.
std::vector<std::string> spreads_at_their_start(const LintCase& lint_case)
{
    constexpr std::size_t fewest_records = 10;
    std::vector<std::string> names;
    for (const auto& course : spread_courses(lint_case)) {
        const bool still = std::ranges::all_of(course.values, [&](double value) {
            return std::fabs(std::log(value / course.values.front())) < least_move;
        });
        if (course.values.size() >= fewest_records && still)
            names.push_back(course.block);
    }
    return names;
}

std::optional<Finding> check_posterior_at_start(const LintCase& lint_case, const std::stop_token&)
{
    if (!is_a_course(lint_case)
        || (lint_case.report
            && continued_network(*lint_case.report)))   // a trained network may have nothing left to learn
        return {};
    const auto& study  = lint_case.run.experiment->study;
    const auto& method = method_of(study);
    if (method.posterior.is_sample_set || method.training.sees_all_rows)   // they have their own starting points
        return {};
    const auto means   = blocks_at_their_start(lint_case.run);
    const auto spreads = method.has_kl() ? spreads_at_their_start(lint_case) : std::vector<std::string>();
    if (means.empty() && spreads.empty())
        return {};
    const std::string what = means.empty() ? "The spread of " : "";
    const std::string step = grouped_text(lint_case.run.snapshot->point.step);
    return Finding{
        .severity = Severity::warning,
        .title    = what + some_names(means.empty() ? spreads : means) + " did not change during training.",
        .evidence = (means.empty() ? "τ or the median standard deviation stayed within "
                                   : "The means moved by less than ")
                    + percent(least_move) + " in " + step + " steps, at a learning rate of "
                    + number(study.training.schedule.learning_rate) + ".",
        .reason =
            means.empty()
                ? "The displayed uncertainty is the initial one; it was not learned from the data."
                : "These weights are still at their initial values: the layer was not trained, because the steps are "
                  "too short or gradients do not reach it.",
        .remedy = {.label = "Show the layers over training", .view = "layers_over_training"}};
}

}   // namespace

LintRule posterior_at_start_rule()
{
    return {
        .id    = "posterior_at_start",
        .title = "Posterior stuck at its start",
        .what =
            "Warning if, after at least 100 steps, the means of a layer's weights have moved by less than 0.5 % of "
            "the size of the initial weights, or if its τ or median standard deviation stayed within 0.5 % of its "
            "initial value at every recorded step: the run then shows its initialisation. Skipped for chains and "
            "ensembles, which have their own starting points, and for runs that continue from a trained network. The "
            "spreads have their own gradient (Blundell et al. 2015, section 3.2) and learn more slowly than the means.",
        .idea      = "Blundell et al. 2015, section 3.2",
        .threshold = "chosen for Credence: 0.5 %",
        .check     = check_posterior_at_start};
}

namespace {

constexpr double just_above_guard = 1.01;   // times the smallest τ

std::optional<Finding> check_tau_at_guard(const LintCase& lint_case, const std::stop_token&)
{
    if (!is_own_run(lint_case) || !lint_case.run.experiment->study.posterior.guard_spread)
        return {};
    const double guarded_tau = std::log1p(std::exp(lint_case.run.experiment->study.posterior.guard_delta));
    const double just_above  = just_above_guard * guarded_tau;
    std::vector<std::string> names;
    for (const auto& block : layers_at_end(lint_case.run))
        if (block.kind == BlockKind::weights && block.tau && *block.tau <= just_above)
            names.push_back(block.block);
    if (names.empty())
        return {};
    return Finding{.severity = Severity::warning,
                   .title    = "τ of " + some_names(names) + " is at its lower limit.",
                   .evidence = "τ is " + number(guarded_tau)
                               + ", the smallest value that the guard allows; expected more than " + number(just_above)
                               + ".",
                   .reason = "The spread of these weights is set by the fixed limit. The data and the prior "
                             "would make it smaller.",
                   .remedy = {.label = "Show the layers over training", .view = "layers_over_training"}};
}

}   // namespace

LintRule tau_at_guard_rule()
{
    return {
        .id    = "tau_at_guard",
        .title = "τ at its lower limit",
        .what =
            "Warning if τ of a layer's weights ends at its lower limit, softplus of the smallest δ: by default 0.01, "
            "from the guard δ ≥ −4.600166 of Posch and Pilz 2021. Skipped if the guard is off, and for biases.",
        .idea      = "Posch and Pilz 2021",
        .threshold = "Posch and Pilz 2021: δ = −4.600166",
        .check     = check_tau_at_guard};
}

namespace {

constexpr double largest_change = 0.1;   // largest change of ln τ in the last tenth of the steps

/// Index of the recorded step at which the last tenth begins.
std::size_t begin_of_last_tenth(const TrainingHistory& history)
{
    std::size_t i = history.size() - 1;
    while (i > 0 && history[i].step > history.back().step - history.back().step / 10)
        --i;
    return i;
}

std::optional<Finding> check_tau_still_moves(const LintCase& lint_case, const std::stop_token&)
{
    constexpr std::size_t fewest_records = 20;
    if (!is_a_course(lint_case))
        return {};
    std::string worst;
    double before = 0, after = 0, change = largest_change;
    for (const auto& course : spread_courses(lint_case)) {
        if (!course.is_tau || course.values.size() < fewest_records)
            continue;
        const double then = course.values[begin_of_last_tenth(*lint_case.run.history)], now = course.values.back();
        if (std::fabs(std::log(now / then)) <= change)
            continue;
        change = std::fabs(std::log(now / then));
        worst  = course.block;
        before = then;
        after  = now;
    }
    if (worst.empty())
        return {};
    const auto& training = lint_case.run.experiment->study.training;
    const bool falls     = training.schedule.kind == ScheduleKind::cosine;
    return Finding{
        .severity = Severity::warning,
        .title    = "τ of " + worst + " still changes at the end of training.",
        .evidence = "In the last tenth of the steps it changed from " + number(before) + " to " + number(after)
                    + ", by " + percent(std::fabs(after / before - 1)) + "; expected less than about "
                    + percent(largest_change) + ". The final learning rate is "
                    + number(lint_case.run.snapshot->point.learning_rate) + ".",
        .reason =
            "The uncertainty depends on when the run was stopped. Spreads settle later than means; use more steps, or "
            "a learning rate that falls to 0.",
        .remedy = falls
                      ? Remedy{.label    = "Double the steps",
                               .settings = {{"training.steps", std::to_string(2 * training.steps)}}}
                      : Remedy{.label = "Decay the learning rate to 0", .settings = {{"training.schedule", "cosine"}}}};
}

}   // namespace

LintRule tau_still_moves_rule()
{
    return {
        .id    = "tau_still_moves",
        .title = "τ that still changes at the end",
        .what =
            "Warning if ln τ of a layer's weights changed by more than 0.1 in the last tenth of at least 100 steps. "
            "It changes by less than 0.04 in settled runs, including short ones on images.",
        .idea      = "Posch and Pilz 2021, section IV",
        .threshold = "chosen for Credence: 0.1 of ln τ; settled runs change it by less than 0.04",
        .check     = check_tau_still_moves};
}

}   // namespace credence
