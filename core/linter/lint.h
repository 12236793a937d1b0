// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/views.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace credence {

/// How bad a finding is.
enum class Severity {
    error,     ///< numbers of this run do not mean what their names say
    warning,   ///< check it before you rely on the run
};
/// Returns "error" or "warning", as used in files and lists.
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
    Severity severity = Severity::warning;
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
    std::vector<Finding> findings{};       ///< "error" before "warning"
    std::vector<NotJudged> not_judged{};   ///< in the order of the rules

    bool operator==(const LintResult&) const = default;
};

/// The inputs of the rules. Unknown members are empty, and the rules that need them are skipped.
struct LintCase {
    RunSnapshot run;                             ///< final state, or imported predictions (outputs/outputs_file.h)
    std::optional<TrainingReport> report = {};   ///< how it ended
    std::string table                    = {};   ///< state of the table file when training started (SavedRun::table)
    std::vector<RunSnapshot> others      = {};   ///< final states of the runs it is compared with
    ViewOptions options = {};   ///< options of the displayed scores, whose cached predictions are reused
};

/// Checks all rules, in the order of the list. Uses the cached predictions of the views
/// (views/scored_predictions.h) for the test rows. If there are none yet, it predicts all rows if
/// that is cheap, otherwise some rows with fewer samples, which takes a few seconds at most. A rule
/// that does not apply is skipped; one that applies and fails is listed as not judged. Call it on a
/// worker thread.
/// @return  findings with severity "error" before "warning", otherwise in the order of the list;
/// empty: stopped
std::optional<LintResult> lint(const LintCase& lint_case, const std::stop_token& stop = {});

/// Returns the Study with the settings of a remedy. @throws Error as set_field if a field refuses
/// its value
Study with_remedy(Study study, const Remedy& remedy);

/// Returns findings as text for terminals and reports, one paragraph each: title, evidence, reason,
/// idea and threshold, remedy. Then lists the rules that could not be judged, grouped by reason.
/// Reports that nothing was found only if every rule passed.
std::string findings_text(const LintResult& result);
/// Returns "r_hat, ess: The chains have 3 draws each …", one line per reason.
std::vector<std::string> not_judged_lines(const LintResult& result);
/// Returns "Idea: Guo et al. 2017. Threshold: chosen for Credence: …." without empty parts.
std::string origin_of(const Finding& finding);

/// A check for one kind of fault in a run. Each rule has its own file in linter/ and one entry in
/// linter/list.cmake; lint and docs/linter.md read this list.
struct LintRule {
    std::string id;          ///< "kl_weight"
    std::string title;       ///< what it checks: "KL weighted by 1/N"
    std::string what;        ///< when it has a finding and why: a paragraph of docs/linter.md
    std::string idea = {};   ///< paper that defines the quantity, as cited in docs/references.md; empty: none
    std::string threshold =
        {};   ///< who chose the threshold, and its value: "Betancourt 2016: 0.3", "chosen for Credence: 5 %"
    bool about_target = false;   ///< judges the predictions of a target: with several, the evidence names it
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
