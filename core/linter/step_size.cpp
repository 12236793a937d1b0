// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"
#include "study/fields.h"
#include "study/method.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

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
        .severity = Severity::doubtful,
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
    return Finding{.severity = Severity::wrong,
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
    if (method_of(lint_case.run.experiment->study).sees_all_rows) {
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
            "since networks often train well right at this limit; it checks the consequences. Wrong if the mean loss "
            "over the last fifth of the run is clearly above the initial loss and, for classification, above 1.2 ln K, "
            "which is worse than guessing, unless the objective with its weighted KL has fallen. Doubtful if the mean "
            "acceptance probability of HMC, or the mean acceptance statistic of NUTS, is below 0.4.",
        .idea      = "Neal 2011; Welling and Teh 2011",
        .threshold = "chosen for Credence: 1.2 ln K, 1.1 times the first loss, a mean acceptance of 0.4",
        .check     = check_step_size};
}

}   // namespace credence
