// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence {

/// How bad a finding is.
enum class Severity {
    wrong,      ///< a mistake: numbers of this run do not mean what their names say
    doubtful,   ///< check it before you rely on the run
};
/// Returns "wrong" or "doubtful", as used in files and lists.
std::string_view name_of(Severity severity);

/// A fix for a finding, or a view that shows it. At most one of `settings` and `view` is set; if
/// both are empty, there is no button.
struct Remedy {
    std::string label{};   ///< text of the button: "Set the KL weight to 1", "Show the training curves"
    std::vector<std::pair<std::string, std::string>>
        settings{};       ///< field paths of the Study (study/fields.h) with their new values as typed
    std::string view{};   ///< id of the view that shows it (views/views.h)

    bool empty() const { return settings.empty() && view.empty(); }
    bool operator==(const Remedy&) const = default;
};

/// The result of one rule for one run.
struct Finding {
    std::string rule{};   ///< id of the rule: "kl_weight"
    Severity severity = Severity::doubtful;
    std::string title{};       ///< one sentence: "The KL divergence is not weighted by 1/N."
    std::string evidence{};    ///< measured value and threshold, with units
    std::string idea{};        ///< filled by lint: LintRule::idea
    std::string threshold{};   ///< filled by lint: LintRule::threshold
    std::string reason{};      ///< why it matters, in a sentence or two
    Remedy remedy{};

    bool operator==(const Finding&) const = default;
};

/// A rule that applies to the run but could not be checked.
struct NotJudged {
    std::string rule{};       ///< id of the rule
    std::string sentence{};   ///< why: "The chains have 3 draws each, expected at least 4."

    bool operator==(const NotJudged&) const = default;
};

/// What the linter found in one run. Every rule passed only if both lists are empty.
struct LintResult {
    std::vector<Finding> findings{};       ///< "wrong" before "doubtful"
    std::vector<NotJudged> not_judged{};   ///< in the order of the rules

    bool operator==(const LintResult&) const = default;
};

}   // namespace credence
