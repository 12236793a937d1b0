// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/evidence.h"
#include "linter/lint.h"
#include "prediction/difference_of_means.h"
#include "study/fields.h"
#include "views/scores.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace credence {

using namespace lint_support;

namespace {

constexpr double level_of_claims = 0.05;

/// The Study without its seed and its name.
Study without_seed(Study study)
{
    study.seed = 0;
    study.name.clear();
    study.note.clear();
    return study;
}

/// The error of the final predictions (RMSE of a regression) on the rows that scores are about.
std::optional<double> final_error(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    if (run.experiment->task() != Task::classification) {
        for (const auto& row : scores(run, stop, options).rows)
            if (std::get<std::string>(row[0]) == "RMSE")
                return std::get<double>(row[1]);
        return {};
    }
    const auto counts = class_counts({.run = run, .options = options}, stop);
    if (!counts || counts->all == 0)
        return {};
    return 1 - static_cast<double>(counts->all_right) / static_cast<double>(counts->all);
}

/// The final errors of the runs of one Study by seed.
struct SeedGroup {
    Study study;
    std::string name;
    std::map<std::uint64_t, double> errors{};

    std::vector<double> values() const
    {
        std::vector<double> out;
        for (const auto& [seed, error] : errors)
            out.push_back(error);
        return out;
    }
};

/// The first group is that of the run itself. A group without errors: nothing to compare, or `stop`
/// was requested.
std::vector<SeedGroup> groups_by_seed(const LintCase& lint_case, const std::stop_token& stop)
{
    std::vector<SeedGroup> groups;
    const auto& own = lint_case.run;
    const auto add  = [&](const RunSnapshot& run) {
        const auto error = final_error(run, {}, stop);
        if (!error || !std::isfinite(*error))
            return;
        const Study study = without_seed(run.experiment->study);
        auto group        = std::ranges::find(groups, study, &SeedGroup::study);
        if (group == groups.end())
            group = groups.insert(group, {.study = study, .name = run.experiment->study.name});
        group->errors[run.experiment->study.seed] = *error;
    };
    add(own);
    for (const auto& other : lint_case.others)
        if (other.experiment && other.snapshot && !other.experiment->outputs && other.snapshot != own.snapshot
            && other.experiment->study.data == own.experiment->study.data)
            add(other);
    return groups;
}

/// Paired by the seeds that both Studies have, if there are at least two and the splits are equal;
/// otherwise Welch's.
MeanDifference difference_of(const SeedGroup& a, const SeedGroup& b)
{
    std::vector<double> of_a, of_b;
    for (const auto& [seed, error] : a.errors)
        if (const auto same = b.errors.find(seed); same != b.errors.end()) {
            of_a.push_back(error);
            of_b.push_back(same->second);
        }
    const auto changes    = changes_between(a.study, b.study);
    const bool same_split = std::ranges::none_of(
        changes, [](const Change& change) { return change.path.starts_with("split."); });
    return of_a.size() >= 2 && same_split ? paired_difference(of_a, of_b) : unpaired_difference(a.values(), b.values());
}

std::string sentence_of(const MeanDifference& difference, const std::string& name, double p, bool adjusted)
{
    return "Compared with " + name + ": difference " + number(*difference.mean) + " ± " + number(*difference.half_width)
           + " (95 % interval, "
           + (difference.paired
                  ? "paired by " + counted(static_cast<long>(difference.n_a), "seed")
                  : std::to_string(difference.n_a) + " and " + counted(static_cast<long>(difference.n_b), "seed"))
           + "), p = " + number(p) + (adjusted ? " Holm-adjusted" : "") + "; a true difference of "
           + number(*difference.detectable()) + " would be found with a probability of 80 %.";
}

std::optional<Finding> check_difference_of_runs(const LintCase& lint_case, const std::stop_token& stop)
{
    if (!is_own_run(lint_case) || lint_case.others.empty())
        return {};
    const auto groups = groups_by_seed(lint_case, stop);
    if (stop.stop_requested() || groups.size() < 2)
        return {};
    std::vector<MeanDifference> differences;
    std::vector<std::optional<double>> raw;
    for (std::size_t g = 1; g < groups.size(); ++g) {
        differences.push_back(difference_of(groups.front(), groups[g]));
        raw.push_back(differences.back().p_value);
    }
    const auto adjusted   = holm_adjusted(raw);
    const auto n_compared = std::ranges::count_if(raw, [](const auto& p) { return p.has_value(); });
    std::string names, evidence;
    for (std::size_t i = 0; i < adjusted.size(); ++i)
        if (adjusted[i] && *adjusted[i] > level_of_claims) {
            names += (names.empty() ? "" : ", ") + groups[i + 1].name;
            evidence += (evidence.empty() ? "" : " ")
                        + sentence_of(differences[i], groups[i + 1].name, *adjusted[i], n_compared > 1);
        }
    if (names.empty())
        return {};
    const bool classes = lint_case.run.experiment->task() == Task::classification;
    return Finding{
        .severity = Severity::warning,
        .title    = "These seeds do not show a difference from " + names + ".",
        .evidence = std::string(classes ? "Final error" : "Final RMSE") + " on the "
                    + view_support::scored_set(*lint_case.run.experiment).name + ". " + evidence
                    + (n_compared > 1 ? " " + std::to_string(n_compared) + " Studies are compared." : ""),
        .reason =
            "Other seeds change the score as much as the settings do. Do not report either Study as better; a sweep "
            "over more seeds can decide.",
        .remedy = {.label = "Show the curves of the runs", .view = "overlay_training_curves"}};
}

}   // namespace

LintRule difference_of_runs_rule()
{
    return {
        .id    = "difference_of_runs",
        .title = "Differences between Studies within the noise of the seeds",
        .what =
            "Runs that are compared with other runs on the same data: warning if the mean final errors of two Studies "
            "(RMSE of a regression) do not differ at the 5 % level. Student's t test, paired by the seeds that both "
            "Studies have if there are at least two, else Welch's; adjusted by Holm's method if several Studies are "
            "compared. Needs three runs of which two differ in their seed alone; sweeps use the same test.",
        .idea         = "Student 1908; Welch 1947; Holm 1979",
        .threshold    = "the usual level of 5 %",
        .about_target = true,
        .check        = check_difference_of_runs};
}

}   // namespace credence
