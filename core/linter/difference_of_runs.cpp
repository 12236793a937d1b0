// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/rules.h"

#include <algorithm>
#include <cmath>

namespace credence {

using namespace lint_support;

namespace {

constexpr double standard_errors = 2;

/// What a Study says but for its seed and its name.
Study but_for_seed(Study study)
{
    study.seed = 0;
    study.name.clear();
    study.note.clear();
    return study;
}

/// The test errors of the runs of one Study by several seeds.
struct SeedGroup {
    Study study;
    std::string name;
    std::vector<double> errors{};

    double mean() const
    {
        double sum = 0;
        for (const double error : errors)
            sum += error;
        return sum / static_cast<double>(errors.size());
    }
    /// Sum of squared deviations from the mean.
    double squares() const
    {
        double sum = 0;
        for (const double error : errors)
            sum += std::pow(error - mean(), 2);
        return sum;
    }
};

std::vector<SeedGroup> groups_by_seed(const LintCase& lint_case)
{
    std::vector<SeedGroup> groups;
    const auto add = [&](const RunMoment& run) {
        if (!run.experiment || !run.snapshot || run.experiment->outputs || !run.snapshot->point.test_error)
            return;
        const Study study = but_for_seed(run.experiment->study);
        auto group        = std::ranges::find_if(groups, [&](const SeedGroup& other) { return other.study == study; });
        if (group == groups.end()) {
            groups.push_back({.study = study, .name = run.experiment->study.name});
            group = groups.end() - 1;
        }
        group->errors.push_back(*run.snapshot->point.test_error);
    };
    add(lint_case.run);
    for (const auto& other : lint_case.others)
        if (other.experiment && other.snapshot != lint_case.run.snapshot
            && other.experiment->study.data == lint_case.run.experiment->study.data)
            add(other);
    return groups;
}

std::optional<Finding> check_difference_of_runs(const LintCase& lint_case, const std::stop_token&)
{
    if (!is_own_run(lint_case) || !lint_case.run.snapshot->point.test_error)
        return {};
    const auto groups = groups_by_seed(lint_case);
    const auto& own   = groups.front();
    for (std::size_t g = 1; g < groups.size(); ++g) {
        const auto& other    = groups[g];
        const auto runs      = own.errors.size() + other.errors.size();
        const double between = std::fabs(own.mean() - other.mean());
        if (runs < 3 || between == 0)   // no two runs that differ in their seed alone
            continue;
        const double variance = (own.squares() + other.squares()) / static_cast<double>(runs - 2);
        const double error    = std::sqrt(
               variance * (1 / static_cast<double>(own.errors.size()) + 1 / static_cast<double>(other.errors.size())));
        if (between > standard_errors * error)
            continue;
        return Finding{
            .severity = Severity::doubtful,
            .title    = "The difference to " + other.name + " is within the noise of the seeds.",
            .evidence = "Mean test errors: " + number(own.mean()) + " over "
                        + counted(static_cast<long>(own.errors.size()), "seed") + " and " + number(other.mean())
                        + " over " + counted(static_cast<long>(other.errors.size()), "seed") + "; they differ by "
                        + number(between) + ", expected more than " + number(standard_errors) + " standard errors, "
                        + number(standard_errors * error) + ".",
            .source = "Student 1908",
            .reason =
                "Another seed moves the error as much as the setting does: nothing says that one of the two is better. A sweep "
                "over more seeds tells.",
            .remedy = {.label = "Show the curves of the runs", .view = "overlay_training_curves"}};
    }
    return {};
}

}   // namespace

LintRule difference_of_runs_rule()
{
    return {
        .id    = "difference_of_runs",
        .title = "Difference of two runs within their seeds' noise",
        .what =
            "Beside other runs on the same data: doubtful where the mean test errors of two Studies differ by less than 2 standard errors, "
            "from the pooled variance of runs that differ in their seed alone (Student 1908). Silent without such runs.",
        .check = check_difference_of_runs};
}

}   // namespace credence
