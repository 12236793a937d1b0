// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr double rounding                        = 1e-3;   // of inputs of order 1
constexpr std::size_t few_rows_for_standardising = 10;

/// By how much the test inputs that the net sees differ from those that the training's mean and standard deviation give, in standard deviations.
double largest_difference(const SplitData& data)
{
    const auto expected = data.inputs.standardised(data.test.inputs);
    double largest      = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
        largest = std::max(largest,
                           std::fabs(static_cast<double>(expected[i]) - static_cast<double>(data.test_inputs[i])));
    return largest;
}

std::optional<Finding> check_standardised_apart(const LintCase& lint_case, const std::stop_token&)
{
    if (!is_own_run(lint_case))
        return {};
    const auto& data = *lint_case.run.experiment->data;
    if (data.image || data.test.n_rows < few_rows_for_standardising
        || data.test.inputs.size() != data.test_inputs.size())
        return {};
    const double difference = largest_difference(data);
    if (difference <= rounding)
        return {};
    return Finding{
        .severity = Severity::wrong,
        .title    = "The test rows are standardised otherwise than the training rows.",
        .evidence =
            "A test input differs by " + number(difference)
            + " standard deviations from what the mean and standard deviation of the training rows make of it, expected less than "
            + number(rounding) + ".",
        .source = "",
        .reason =
            "The net is asked about other inputs than it was trained for, and rows of the test set decide how they are read.",
        .remedy = {.label = "Show the test rows", .view = "test_rows"}};
}

}   // namespace

LintRule standardised_apart_rule()
{
    return {
        .id    = "standardised_apart",
        .title = "Test rows standardised by themselves",
        .what =
            "Of tables: wrong where the test inputs that the net sees are not those that mean and standard deviation of the training rows "
            "give. Credence splits so; data that were prepared elsewhere and handed over in parts may not be.",
        .check = check_standardised_apart};
}

}   // namespace credence
