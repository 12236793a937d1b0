// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/lint.h"

#include <functional>

namespace credence {

/// A check for one kind of fault in a run. Each rule has its own file in linter/ and one entry in
/// linter/list.cmake; lint and docs/linter.md read this list.
struct LintRule {
    std::string id;          ///< "kl_weight"
    std::string title;       ///< what it checks: "KL weighted by 1/N"
    std::string what;        ///< when it has a finding and why: a paragraph of docs/linter.md
    std::string idea = {};   ///< paper that defines the quantity, as cited in docs/references.md; empty: none
    std::string threshold =
        {};   ///< who chose the threshold, and its value: "Betancourt 2016: 0.3", "chosen for Credence: 5 %"
    /// Pure. @return  empty: no finding, or `stop` was requested
    /// @throws Error  if the rule applies to the run but cannot judge it, with the reason
    std::function<std::optional<Finding>(const LintCase& lint_case, const std::stop_token& stop)> check;
};

/// All rules, in the order of the list.
const std::vector<LintRule>& lint_rules();
const LintRule& lint_rule(const std::string& id);   ///< @throws Error that lists the ids

/// Returns docs/linter.md: an introduction and a section for each rule.
std::string linter_document();

}   // namespace credence
