// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/lint.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"

#include <algorithm>
#include <new>

namespace credence {

std::string_view name_of(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

std::optional<LintResult> lint(const LintCase& lint_case, const std::stop_token& stop)
{
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
