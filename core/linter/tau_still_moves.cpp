// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "linter/evidence.h"
#include "linter/rules.h"

#include <cmath>

namespace credence {

using namespace lint_support;

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
        .severity = Severity::doubtful,
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
            "Doubtful if ln τ of a layer's weights changed by more than 0.1 in the last tenth of at least 100 steps. "
            "It changes by less than 0.04 in settled runs, including short ones on images.",
        .idea      = "Posch and Pilz 2021, section IV",
        .threshold = "chosen for Credence: 0.1 of ln τ; settled runs change it by less than 0.04",
        .check     = check_tau_still_moves};
}

}   // namespace credence
