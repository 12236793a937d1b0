// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/findings_json.h"

#include <nlohmann/json.hpp>

namespace credence {

void add_findings(nlohmann::ordered_json& json, const LintResult& result)
{
    auto& list = json["findings"] = nlohmann::ordered_json::array();
    for (const auto& finding : result.findings) {
        nlohmann::ordered_json object{{"rule", finding.rule},
                                      {"severity", name_of(finding.severity)},
                                      {"title", finding.title},
                                      {"evidence", finding.evidence}};
        object["reason"] = finding.reason;
        if (!finding.idea.empty())
            object["idea"] = finding.idea;
        if (!finding.threshold.empty())
            object["threshold"] = finding.threshold;
        if (!finding.remedy.empty())
            object["remedy"]["label"] = finding.remedy.label;
        for (const auto& [path, value] : finding.remedy.settings)
            object["remedy"]["settings"][path] = value;
        if (!finding.remedy.view.empty())
            object["remedy"]["view"] = finding.remedy.view;
        list.push_back(std::move(object));
    }
    for (const auto& [rule, sentence] : result.not_judged)
        json["not_judged"].push_back({{"rule", rule}, {"sentence", sentence}});
}

}   // namespace credence
