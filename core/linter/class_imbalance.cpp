// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"

namespace credence {

using namespace lint_support;

namespace {

constexpr double large_class = 0.6;    // smallest share of the rows
constexpr double wide_gap    = 0.15;   // between accuracy and balanced accuracy

std::optional<Finding> check_class_imbalance(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto counts = class_counts(lint_case, stop);
    if (!counts)
        return {};
    const auto& [rows, right, all, all_right, largest] = *counts;
    const auto n                                       = static_cast<double>(all);
    double recall = 0, there = 0, worst = 1;
    std::size_t worst_class = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (rows[k] == 0)
            continue;
        const double of_class = static_cast<double>(right[k]) / static_cast<double>(rows[k]);
        recall += of_class;
        there += 1;
        if (of_class < worst) {
            worst       = of_class;
            worst_class = k;
        }
    }
    const double share    = static_cast<double>(rows[largest]) / n;
    const double accuracy = static_cast<double>(all_right) / n, balanced = recall / there;
    if (there < 2 || share < large_class || accuracy - balanced <= wide_gap)
        return {};
    const auto& names = lint_case.run.experiment->data->training.class_names;
    return Finding{
        .severity = Severity::doubtful,
        .title    = "The accuracy hides errors on a rare class.",
        .evidence = "Class " + names[largest] + " has " + percent(share) + " of the rows. The accuracy is "
                    + percent(accuracy) + ", the balanced accuracy " + percent(balanced) + ", and the recall of class "
                    + names[worst_class] + " is " + percent(worst) + "; expected a gap of at most " + percent(wide_gap)
                    + ".",
        .reason = "Always predicting the majority class already gives a high accuracy. Look at each class separately.",
        .remedy = {.label = "Show the confusion matrix", .view = "confusion"}};
}

}   // namespace

LintRule class_imbalance_rule()
{
    return {
        .id    = "class_imbalance",
        .title = "Class imbalance that accuracy hides",
        .what  = "Classification: doubtful if one class has at least 60 % of the rows and the accuracy is more than 15 "
                 "percentage points above the balanced accuracy, the mean recall over the classes (Brodersen et al. "
                 "2010).",
        .idea  = "Brodersen et al. 2010 (balanced accuracy)",
        .threshold = "chosen for Credence: 60 % of the rows and a gap of 15 percentage points",
        .check     = check_class_imbalance};
}

}   // namespace credence
