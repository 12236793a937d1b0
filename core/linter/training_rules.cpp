// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/lint.h"
#include "study/fields.h"
#include "study/method.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr double large_number = 100;   // largest input or target that the network sees; normally of order 1

double largest_size(std::span<const float> values)
{
    double largest = 0;
    for (const float value : values)
        largest = std::max(largest, std::fabs(static_cast<double>(value)));
    return largest;
}

struct Culprit {
    std::string sentence;
    Remedy remedy;
};

/// The most likely cause: numbers far from order 1 first, otherwise the step size.
Culprit culprit_of(const Experiment& experiment)
{
    const auto& study      = experiment.study;
    const double inputs    = largest_size(experiment.data->training_inputs);
    const double targets   = largest_size(experiment.data->training_targets);
    const bool are_images  = experiment.data->image.has_value();
    const std::string fits = ", expected values of order 1.";
    if (!are_images && !study.split.standardise_inputs && inputs > large_number)
        return {"Inputs reach " + number(inputs) + fits + " They are not standardised.",
                {.label = "Standardise the inputs", .settings = {{"split.standardise_inputs", "true"}}}};
    if (!study.split.standardise_targets && targets > large_number)
        return {"Targets reach " + number(targets) + fits + " They are not standardised.",
                {.label = "Standardise the targets", .settings = {{"split.standardise_targets", "true"}}}};
    if (const auto noise = noise_scale(experiment); noise && noise->is_too_narrow())
        return {"The noise, network.noise_sd, is " + number(noise->noise_sd)
                    + ", but the targets have a standard deviation of " + number(noise->target_sd)
                    + ": gradients grow with the square of the ratio.",
                {.label    = "Set the noise to the standard deviation of the targets",
                 .settings = {{"network.noise_sd", shortest_text(rounded_number(noise->target_sd, 2))}}}};
    if (method_of(study).training.sees_all_rows)
        return {"The sampler's trajectories overflowed: the prior or the noise may be far from the scale of "
                "the data.",
                {.label = "Show the traces of the chains", .view = "chain_traces"}};
    const double rate = study.training.schedule.learning_rate;
    return {"The learning rate is " + number(rate)
                + ": steps that are too long for the curvature of the loss grow with every step.",
            {.label    = "Divide the learning rate by 10",
             .settings = {{"training.learning_rate", shortest_text(rate / 10)}}}};
}

std::optional<Finding> check_not_finite(const LintCase& lint_case, const std::stop_token&)
{
    const auto& report = lint_case.report;
    if (!lint_case.run.experiment || !report || report->stop != StopReason::not_finite)
        return {};
    const auto culprit = culprit_of(*lint_case.run.experiment);
    return Finding{
        .severity = Severity::error,
        .title    = "A value became NaN or infinite at step " + grouped_text(report->bad_step) + ".",
        .evidence = (report->bad_block.empty() ? "It began at step " + grouped_text(report->bad_step)
                                               : "It began in " + report->bad_block)
                    + ", after " + counted(report->steps, "step") + " of "
                    + grouped_text(steps_of(lint_case.run.experiment->study)) + ". " + culprit.sentence,
        .reason = "The run was stopped there. The displayed state is the last one before it diverged; it is not a "
                  "posterior.",
        .remedy = culprit.remedy};
}

}   // namespace

LintRule not_finite_rule()
{
    return {
        .id    = "not_finite",
        .title = "NaN or infinity in the run",
        .what =
            "Error if a loss or a parameter was not finite. The finding names the step, the block and the most likely "
            "cause: missing standardisation if inputs or targets exceed 100, otherwise noise far below the spread of "
            "the targets, otherwise the learning rate.",
        .threshold = "any number that is not finite",
        .check     = check_not_finite};
}

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
    if (!is_own_run(lint_case) || !method_of(lint_case.run.experiment->study).has_kl())
        return {};
    const auto n       = lint_case.run.experiment->data->training.n_rows;
    const double share = kl_share(lint_case.run.experiment->study, n);
    if (share >= weakest_kl && share <= strongest_kl)
        return {};
    const bool strong = share > strongest_kl;
    return Finding{
        .severity = strong ? Severity::error : Severity::warning,
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
            "rows, the objective is the negative ELBO per row (Blundell et al. 2015, (8)). Error above 3/N, warning "
            "below 0.001/N or without the KL. Weights in between, such as the 0.01/N of Posch and Pilz 2021, are "
            "deliberately tempered posteriors. Skipped for methods without a KL.",
        .idea      = "Blundell et al. 2015, (8)",
        .threshold = "chosen for Credence: 3/N and 0.001/N",
        .check     = check_kl_weight};
}

namespace {

constexpr double least_acceptance  = 0.4;
constexpr double worse_than_chance = 1.2;   // times ln K
constexpr double clearly_higher    = 1.1;   // times the first loss: minibatches differ

const char* const why_steps_matter =
    "Steps above the stability limit, set by the direction of largest curvature, grow instead of settling.";

std::optional<Finding> finding_of_acceptance(const ChainEvidence& chains, const Study& study)
{
    if (chains.acceptance >= least_acceptance)
        return {};
    const long warmup = std::get<long>(field("posterior.warmup").get(study));
    const bool nuts   = study.posterior.family == "nuts";
    return Finding{
        .severity = Severity::warning,
        .title    = nuts ? "The step size of NUTS is too large for the posterior."
                         : "The step size of HMC is too large: most proposals are rejected.",
        .evidence = (nuts ? "The mean acceptance statistic over the points of the trajectories is "
                          : "The mean acceptance probability is ")
                    + number(chains.acceptance) + ", expected at least " + number(least_acceptance)
                    + " and usually 0.8.",
        .reason =
            std::string(why_steps_matter)
            + (nuts ? " NUTS never rejects a trajectory, but it then chooses states near the start, so that the chain "
                      "moves slowly."
                    : " After a rejection the chain stays where it is."),
        .remedy = {.label    = "Double the warm-up, which adapts the step size",
                   .settings = {{"posterior.warmup", std::to_string(2 * warmup)}}}};
}

/// A recorded loss: its first value, and its mean over the last fifth of the records.
struct LossCourse {
    double first = 0, late = 0;
};

/// @param of  returns the value of a record, empty if it has none. @return  empty: too few records
template <class Of>
std::optional<LossCourse> course_of(const TrainingHistory& history, Of of)
{
    constexpr std::size_t fewest_records = 20;
    std::vector<double> losses;
    for (const auto& point : history)
        if (point.data_loss)
            losses.push_back(of(point));
    if (losses.size() < fewest_records)
        return {};
    const std::size_t n = losses.size() / 5;
    double sum          = 0;
    for (std::size_t i = losses.size() - n; i < losses.size(); ++i)
        sum += losses[i] / static_cast<double>(n);
    return LossCourse{losses.front(), sum};
}

/// The objective: data loss plus, for a variational posterior, the weighted KL.
double objective(const TrainingPoint& point) { return *point.data_loss + point.kl.value_or(0) * point.kl_weight; }

std::optional<Finding> finding_of_loss(const LintCase& lint_case)
{
    if (!is_a_course(lint_case) || !lint_case.run.history)
        return {};
    const auto& experiment = *lint_case.run.experiment;
    const auto& history    = *lint_case.run.history;
    const auto course      = course_of(history, [](const TrainingPoint& point) { return *point.data_loss; });
    if (!course)
        return {};
    const auto [first, late] = *course;
    const bool classes       = experiment.task() == Task::classification;
    const double chance      = std::log(
             static_cast<double>(std::max<std::size_t>(2, experiment.data->training.n_classes())));
    const double most = classes ? std::max(worse_than_chance * chance, clearly_higher * first)
                                : first + std::max(1.0, 0.2 * std::fabs(first));
    if (late <= most)
        return {};
    if (const auto minimised = course_of(history, objective); minimised->late <= minimised->first)
        return {};   // the objective falls: the prior gains what the data lose
    const double rate = experiment.study.training.schedule.learning_rate;
    return Finding{.severity = Severity::error,
                   .title    = "The steps are too long: the final loss is higher than the initial loss.",
                   .evidence = "Mean loss over the last fifth of the run: " + number(late)
                               + " nats per example; at the start: " + number(first)
                               + (classes
                                      ? "; guessing costs ln " + std::to_string(experiment.data->training.n_classes())
                                            + " = " + number(chance)
                                      : std::string())
                               + ". The learning rate is " + number(rate) + ".",
                   .reason = why_steps_matter,
                   .remedy = {.label    = "Divide the learning rate by 10",
                              .settings = {{"training.learning_rate", shortest_text(rate / 10)}}}};
}

std::optional<Finding> check_step_size(const LintCase& lint_case, const std::stop_token& stop)
{
    if (!is_own_run(lint_case))
        return {};
    if (method_of(lint_case.run.experiment->study).training.sees_all_rows) {
        const auto chains = hamiltonian_chains(lint_case, stop);
        return chains ? finding_of_acceptance(*chains, lint_case.run.experiment->study) : std::nullopt;
    }
    return finding_of_loss(lint_case);
}

}   // namespace

LintRule step_size_rule()
{
    return {
        .id    = "step_size",
        .title = "Step size above the stability limit",
        .what =
            "A step of length ε is stable along a direction of curvature λ while ελ < 2 (gradient descent), ελ < 4 "
            "(Langevin, ε twice the rate) or ε√λ < 2 (leapfrog; Neal 2011). The rule does not compute curvatures, "
            "since networks often train well right at this limit; it checks the consequences. Error if the mean loss "
            "over the last fifth of the run is clearly above the initial loss and, for classification, above 1.2 ln K, "
            "which is worse than guessing, unless the objective with its weighted KL has fallen. Warning if the mean "
            "acceptance probability of HMC, or the mean acceptance statistic of NUTS, is below 0.4.",
        .idea      = "Neal 2011; Welling and Teh 2011",
        .threshold = "chosen for Credence: 1.2 ln K, 1.1 times the first loss, a mean acceptance of 0.4",
        .check     = check_step_size};
}

}   // namespace credence
