// SPDX-License-Identifier: GPL-3.0-or-later
#include "linter/rules.h"

#include "foundation/error.h"
#include "foundation/find_listed.h"

namespace credence {

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
