// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/lint.h"

#include "foundation/error.h"
#include "linter/rules.h"

#include <algorithm>
#include <new>

namespace credence {

std::string_view name_of(Severity severity) { return severity == Severity::wrong ? "wrong" : "doubtful"; }

std::optional<std::vector<Finding>> lint(const LintCase& lint_case, const std::stop_token& stop)
{
    std::vector<Finding> findings;
    for (const auto& rule : lint_rules()) {
        if (stop.stop_requested())
            return {};
        std::optional<Finding> finding;
        try {
            finding = rule.check(lint_case, stop);
        } catch (const Error&) {            // what it looks at cannot be had: views and scores say why
        } catch (const std::bad_alloc&) {   // nor is there memory for it
        }
        if (!finding)
            continue;
        finding->rule = rule.id;
        findings.push_back(std::move(*finding));
    }
    if (stop.stop_requested())
        return {};
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
    return findings;
}

Study with_remedy(Study study, const Remedy& remedy)
{
    for (const auto& [path, value] : remedy.settings)
        set_field(study, path + "=" + value);
    return study;
}

std::string findings_text(std::span<const Finding> findings)
{
    if (findings.empty())
        return "The linter found nothing wrong.\n";
    std::string text;
    for (const auto& finding : findings) {
        text += text.empty() ? "" : "\n";
        text += (finding.severity == Severity::wrong ? "Wrong: " : "Doubtful: ") + finding.title + '\n';
        text += "  " + finding.evidence + (finding.source.empty() ? "" : " (" + finding.source + ")") + '\n';
        text += "  " + finding.reason + '\n';
        for (const auto& [path, value] : finding.remedy.settings)
            text += "  --set " + path + "=" + value + '\n';
        if (!finding.remedy.view.empty())
            text += "  --view " + finding.remedy.view + '\n';
    }
    return text;
}

}   // namespace credence
