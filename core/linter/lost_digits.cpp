// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr double coarsest = 1e-3;   // step of float32, in standard deviations of the column

/// How coarse float32 makes a column of original numbers that the network sees as they are.
struct Coarseness {
    double step = 0, sd = 0;   // of the largest number, in the column's units

    bool loses_digits() const { return step > coarsest * sd; }
};

/// @param values  [n × d], of which column j is looked at
Coarseness coarseness_of(std::span<const double> values, std::size_t d, std::size_t j)
{
    double sum = 0, squares = 0, largest = 0;
    const double n = static_cast<double>(values.size() / d);
    for (std::size_t i = j; i < values.size(); i += d) {
        sum += values[i];
        largest = std::max(largest, std::fabs(values[i]));
    }
    for (std::size_t i = j; i < values.size(); i += d)
        squares += (values[i] - sum / n) * (values[i] - sum / n);
    const auto single = static_cast<float>(largest);
    return {static_cast<double>(std::nextafter(single, INFINITY) - single), std::sqrt(squares / n)};
}

std::optional<Finding> lost(const std::string& column, const Coarseness& found, const std::string& setting,
                            const std::string& label)
{
    return Finding{
        .severity = Severity::wrong,
        .title    = "The network cannot tell the values of " + column + " apart.",
        .evidence = "Networks compute in float32, whose numbers are " + number(found.step) + " apart there; " + column
                    + " has a standard deviation of " + number(found.sd) + ", expected steps below " + number(coarsest)
                    + " of it.",
        .reason =
            "Numbers with a large offset, as Unix times and Julian dates, keep their digits where they are standardised: the "
            "offset is taken off in double.",
        .remedy = {.label = label, .settings = {{setting, "true"}}}};
}

std::optional<Finding> check_lost_digits(const LintCase& lint_case, const std::stop_token& stop)
{
    if (!is_own_run(lint_case))
        return {};
    const auto& experiment = *lint_case.run.experiment;
    const auto& split      = experiment.study.split;
    const auto& training   = experiment.data->training;
    if (experiment.data->image)
        return {};
    for (std::size_t j = 0; !split.standardise_inputs && j < training.n_features && !stop.stop_requested(); ++j)
        if (const auto found = coarseness_of(training.inputs, training.n_features, j);
            found.loses_digits() && found.sd > 0)
            return lost(training.feature_names[j], found, "split.standardise_inputs", "Standardise the inputs");
    if (training.task == Task::regression && !split.standardise_targets)
        if (const auto found = coarseness_of(training.targets, 1, 0); found.loses_digits() && found.sd > 0)
            return lost(training.target_name, found, "split.standardise_targets", "Standardise the targets");
    return {};
}

}   // namespace

LintRule lost_digits_rule()
{
    return {
        .id    = "lost_digits",
        .title = "Numbers that float32 cannot tell apart",
        .what =
            "Of tables that are not standardised: wrong where the step between two numbers of float32, at the largest value of an input "
            "or of the target, is more than 0.001 of its standard deviation. So Unix times of one day become two minutes wide.",
        .threshold = "chosen for Credence: 0.001 standard deviations",
        .check     = check_lost_digits};
}

}   // namespace credence
