// SPDX-License-Identifier: GPL-3.0-or-later
#include "results/findings_json.h"

#include <nlohmann/json.hpp>

namespace credence {

nlohmann::ordered_json findings_to_json(std::span<const Finding> findings)
{
    auto list = nlohmann::ordered_json::array();
    for (const auto& finding : findings) {
        nlohmann::ordered_json object{{"rule", finding.rule},
                                      {"severity", name_of(finding.severity)},
                                      {"title", finding.title},
                                      {"evidence", finding.evidence}};
        if (!finding.source.empty())
            object["source"] = finding.source;
        object["reason"] = finding.reason;
        if (!finding.remedy.empty())
            object["remedy"]["label"] = finding.remedy.label;
        for (const auto& [path, value] : finding.remedy.settings)
            object["remedy"]["settings"][path] = value;
        if (!finding.remedy.view.empty())
            object["remedy"]["view"] = finding.remedy.view;
        list.push_back(std::move(object));
    }
    return list;
}

}   // namespace credence
