// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/lint.h"

#include <functional>

namespace credence {

/// One thing that can be wrong with a run: everything the program knows of it. Each stands in a file of its own in linter/, and once in the list there,
/// linter/list.cmake; lint and docs/linter.md read this list.
struct LintRule {
    std::string id;      ///< "kl_weight"
    std::string title;   ///< what it looks for: "KL weighted by 1/N"
    std::string
        what;   ///< when it speaks and why, its threshold and where it comes from: a paragraph of docs/linter.md
    /// Pure. @return  empty: there is nothing to say, or `stop` was requested
    std::function<std::optional<Finding>(const LintCase& lint_case, const std::stop_token& stop)> check;
};

/// All rules, in the order of the list.
const std::vector<LintRule>& lint_rules();
const LintRule& lint_rule(const std::string& id);   ///< @throws Error that lists the ids

/// Returns docs/linter.md: what the linter is, and of each rule what it looks for.
std::string linter_document();

}   // namespace credence
