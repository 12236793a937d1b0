// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/lint.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"
#include "runs/one_target.h"

#include <algorithm>
#include <new>

namespace credence {

std::string_view name_of(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

namespace {

/// The findings about each target; those about the whole run once.
std::optional<LintResult> lint_of_targets(const LintCase& lint_case, const std::stop_token& stop)
{
    const auto names = lint_case.run.experiment->data->training.target_names();
    LintResult result;
    for (std::size_t t = 0; t < names.size(); ++t) {
        LintCase one = lint_case;
        one.run      = run_of_target(lint_case.run, t);
        for (RunSnapshot& other : one.others)
            if (t < other.experiment->data->training.n_targets())
                other = run_of_target(other, t);
        auto found = lint(one, stop);
        if (!found)
            return {};
        for (Finding& finding : found->findings)
            if (std::ranges::find(result.findings, finding) == result.findings.end())
                result.findings.push_back(std::move(finding));
        for (NotJudged& sentence : found->not_judged)
            if (std::ranges::find(result.not_judged, sentence) == result.not_judged.end())
                result.not_judged.push_back(std::move(sentence));
    }
    std::ranges::stable_sort(result.findings, {}, &Finding::severity);
    return result;
}

}   // namespace

std::optional<LintResult> lint(const LintCase& lint_case, const std::stop_token& stop)
{
    if (lint_case.run.experiment->data->training.n_targets() > 1)
        return lint_of_targets(lint_case, stop);
    const auto& experiment = *lint_case.run.experiment;
    LintResult result;
    for (const auto& rule : lint_rules()) {
        if (stop.stop_requested())
            return {};
        std::optional<Finding> finding;
        try {
            finding = rule.check(lint_case, stop);
        } catch (const Error& error) {
            result.not_judged.push_back({rule.id, error.what()});
        } catch (const std::bad_alloc&) {
            result.not_judged.push_back({rule.id, "There was not enough memory to check this rule."});
        }
        if (!finding)
            continue;
        if (experiment.target_of > 0 && rule.about_target)
            finding->evidence = "Target " + experiment.data->training.target_name + ": " + finding->evidence;
        finding->rule      = rule.id;
        finding->idea      = rule.idea;
        finding->threshold = rule.threshold;
        result.findings.push_back(std::move(*finding));
    }
    if (stop.stop_requested())
        return {};
    std::ranges::stable_sort(result.findings, {}, &Finding::severity);
    return result;
}

Study with_remedy(Study study, const Remedy& remedy)
{
    for (const auto& [path, value] : remedy.settings)
        set_field(study, path + "=" + value);
    return study;
}

std::string origin_of(const Finding& finding)
{
    std::string text = finding.idea.empty() ? "" : "Idea: " + finding.idea + ".";
    if (!finding.threshold.empty())
        text += (text.empty() ? "" : " ") + ("Threshold: " + finding.threshold + ".");
    return text;
}

std::vector<std::string> not_judged_lines(const LintResult& result)
{
    std::vector<NotJudged> by_reason;   // the ids of all rules with the same reason, separated by commas
    for (const auto& one : result.not_judged) {
        const auto same = std::ranges::find(by_reason, one.sentence, &NotJudged::sentence);
        if (same == by_reason.end())
            by_reason.push_back(one);
        else
            same->rule += ", " + one.rule;
    }
    std::vector<std::string> lines;
    for (const auto& [rules, sentence] : by_reason)
        lines.push_back(rules + ": " + sentence);
    return lines;
}

std::string findings_text(const LintResult& result)
{
    if (result == LintResult())
        return "The linter found nothing wrong.\n";
    std::string text;
    for (const auto& finding : result.findings) {
        text += text.empty() ? "" : "\n";
        text += (finding.severity == Severity::error ? "Error: " : "Warning: ") + finding.title + '\n';
        text += "  " + finding.evidence + '\n';
        text += "  " + finding.reason + '\n';
        if (const auto origin = origin_of(finding); !origin.empty())
            text += "  " + origin + '\n';
        for (const auto& [path, value] : finding.remedy.settings)
            text += "  --set " + path + "=" + value + '\n';
        if (!finding.remedy.view.empty())
            text += "  --view " + finding.remedy.view + '\n';
    }
    const auto lines = not_judged_lines(result);
    if (!lines.empty())
        text += text.empty() ? "" : "\n";
    for (const auto& line : lines)
        text += "Could not be checked: " + line + '\n';
    return text;
}

std::vector<LintRule> listed_lint_rules();   // made from core/linter/list.cmake

const std::vector<LintRule>& lint_rules()
{
    static const auto all = listed_lint_rules();
    return all;
}

const LintRule& lint_rule(const std::string& id)
{
    if (const auto* found = find_listed(lint_rules(), id))
        return *found;
    throw Error("There is no linter rule \"" + id + "\", expected one of " + listed_ids(lint_rules()) + ".");
}

}   // namespace credence
