// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"

namespace credence {

using namespace lint_support;

namespace {

constexpr long fewest_rows = 20;

std::optional<Finding> check_no_better_than_guessing(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto counts = class_counts(lint_case, stop);
    if (!counts || counts->all < fewest_rows)
        return {};
    const auto n        = static_cast<double>(counts->all);
    const long by_guess = counts->rows[counts->largest];
    if (by_guess == counts->all || counts->all_right > by_guess)
        return {};
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The net is no better than a guess.",
        .evidence = percent(static_cast<double>(counts->all_right) / n) + " of " + counted(counts->all, "row")
                    + " are right; who always answers “"
                    + lint_case.run.experiment->data->training.class_names[counts->largest] + "” is right at "
                    + percent(static_cast<double>(by_guess) / n) + ".",
        .source = "",
        .reason =
            "It has not learned what the inputs tell of the classes, or its draws have lost it again. Intervals and doubt of such a net "
            "say nothing about the data.",
        .remedy = lint_case.run.experiment->outputs
                      ? Remedy{.label = "Show the confusion matrix", .view = "confusion"}
                      : Remedy{.label = "Show the loss over the course", .view = "training_curves"}};
}

}   // namespace

LintRule no_better_than_guessing_rule()
{
    return {
        .id    = "no_better_than_guessing",
        .title = "A net that is no better than a guess",
        .what =
            "Of classes: doubtful where, of at least 20 rows, no more are right than by always naming the class that most of them have. A rate "
            "or a prior at which nothing is learned looks so, and a Laplace approximation so wide that its draws forget the net.",
        .check = check_no_better_than_guessing};
}

}   // namespace credence
