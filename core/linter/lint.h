// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/finding.h"
#include "views/views.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// A run as the rules see it. What is unknown is empty, and the rules that need it are skipped.
struct LintCase {
    RunSnapshot run;                             ///< final state, or imported predictions (outputs/opened_outputs.h)
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
/// @return  findings with severity "wrong" before "doubtful", otherwise in the order of the list;
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

}   // namespace credence
