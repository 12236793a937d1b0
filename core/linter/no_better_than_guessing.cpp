// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"

#include <algorithm>

namespace credence {

using namespace lint_support;

namespace {

constexpr std::size_t fewest_rows = 20;

std::optional<Finding> check_no_better_than_guessing(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto scored = predictions(lint_case, stop);
    if (!scored || scored->labels.size() < fewest_rows)
        return {};
    const auto K = static_cast<std::size_t>(scored->set.classes.n_classes);
    std::vector<long> rows(K);
    long right = 0;
    for (std::size_t i = 0; i < scored->labels.size(); ++i) {
        const auto k = static_cast<std::size_t>(scored->labels[i]);
        if (k >= K)
            return {};
        ++rows[k];
        right += scored->set.classes.predicted[i] == scored->labels[i];
    }
    const auto largest = std::ranges::max_element(rows);
    const auto n       = static_cast<double>(scored->labels.size());
    if (*largest == static_cast<long>(scored->labels.size()) || right > *largest)
        return {};
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The net is no better than a guess.",
        .evidence = percent(static_cast<double>(right) / n) + " of " + counted(static_cast<long>(n), "row")
                    + " are right; who always answers “"
                    + lint_case.run.experiment->data->training
                          .class_names[static_cast<std::size_t>(largest - rows.begin())]
                    + "” is right at " + percent(static_cast<double>(*largest) / n) + ".",
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
