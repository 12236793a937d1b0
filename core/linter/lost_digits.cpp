// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr double coarsest = 1e-3;   // largest float32 spacing, in standard deviations of the column

/// Resolution of float32 for a column that the network uses without standardisation.
struct Coarseness {
    double step = 0, sd = 0;   // spacing at the largest value, in the column's units

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
        .title    = "float32 cannot resolve the values of " + column + ".",
        .evidence = "Networks compute in float32, whose spacing is " + number(found.step) + " at these values; "
                    + column + " has a standard deviation of " + number(found.sd) + ", expected a spacing below "
                    + number(coarsest) + " of it.",
        .reason =
            "Standardisation subtracts the offset in double precision, so numbers with a large offset, such as Unix "
            "times and Julian dates, keep their digits.",
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
        .title = "Numbers that float32 cannot resolve",
        .what =
            "Tables without standardisation: wrong if the spacing of float32 at the largest value of an input or of "
            "the target is more than 0.001 of its standard deviation. For example, today's Unix times are rounded to "
            "about two minutes.",
        .threshold = "chosen for Credence: 0.001 standard deviations",
        .check     = check_lost_digits};
}

}   // namespace credence
