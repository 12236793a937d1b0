// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/one_line.h"
#include "linter/evidence.h"
#include "linter/rules.h"

#include <algorithm>

namespace credence {

using namespace lint_support;

namespace {

std::optional<Finding> check_class_untrained(const LintCase& lint_case, const std::stop_token&)
{
    const auto& experiment = *lint_case.run.experiment;
    if (experiment.outputs || experiment.task() != Task::classification || experiment.data->training.labels.empty())
        return {};
    const auto& training = experiment.data->training;
    const auto& test     = experiment.data->test;
    std::vector<std::size_t> trained(training.n_classes(), 0), tested(training.n_classes(), 0);
    for (const int label : training.labels)
        ++trained[static_cast<std::size_t>(label)];
    for (const int label : test.labels)
        ++tested[static_cast<std::size_t>(label)];
    std::vector<std::string> names;
    std::size_t rows = 0;
    for (std::size_t k = 0; k < trained.size(); ++k)
        if (trained[k] == 0 && tested[k] > 0) {
            names.push_back(training.class_names[k]);
            rows += tested[k];
        }
    if (names.empty())
        return {};
    const bool one = names.size() == 1;
    return Finding{
        .severity = Severity::doubtful,
        .title    = one ? "No training row belongs to class " + one_line(names.front(), 40) + "."
                        : "Some classes have no training row.",
        .evidence = std::to_string(rows) + (rows == 1 ? " test row of " : " test rows of ")
                    + std::to_string(test.labels.size()) + (rows == 1 ? " belongs to " : " belong to ")
                    + some_names(names) + ", but 0 of " + std::to_string(training.labels.size())
                    + " training rows do; expected at least 1 training row in each class.",
        .reason = "The network has never seen this class, so its test rows count as errors and lower all scores. "
                  "Merge or remove classes with very few rows, or choose another split seed.",
        .remedy = {.label = "Show the confusion matrix", .view = "confusion"}};
}

}   // namespace

LintRule class_untrained_rule()
{
    return {
        .id    = "class_untrained",
        .title = "Class without training rows",
        .what = "Classification: doubtful if the test set has rows of a class that has no training rows. The split can "
                "cause this if a class has very few rows.",
        .threshold = "chosen for Credence: at least one training row per class",
        .check     = check_class_untrained};
}

}   // namespace credence
