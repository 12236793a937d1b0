// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/lint.h"

#include <functional>

namespace credence {

/// One thing that can be wrong with a run: everything the program knows of it. Each stands in a file of its own in linter/, and once in the list there,
/// linter/list.cmake; lint and docs/linter.md read this list.
struct LintRule {
    std::string id;          ///< "kl_weight"
    std::string title;       ///< what it looks for: "KL weighted by 1/N"
    std::string what;        ///< when it speaks and why: a paragraph of docs/linter.md
    std::string idea = {};   ///< paper that the rule takes its quantity from, as docs/references.md has it; empty: none
    std::string threshold =
        {};   ///< who set the number at which it speaks, and which: "Betancourt 2016: 0.3", "chosen for Credence: 5 %"
    /// Pure. @return  empty: there is nothing to say, or `stop` was requested
    /// @throws Error  that says why the run cannot be judged by this rule, though the rule applies to it
    std::function<std::optional<Finding>(const LintCase& lint_case, const std::stop_token& stop)> check;
};

/// All rules, in the order of the list.
const std::vector<LintRule>& lint_rules();
const LintRule& lint_rule(const std::string& id);   ///< @throws Error that lists the ids

/// Returns docs/linter.md: what the linter is, and of each rule what it looks for.
std::string linter_document();

}   // namespace credence
