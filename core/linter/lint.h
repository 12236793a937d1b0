// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/finding.h"
#include "views/views.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

/// A run as the rules look at it. What is not known is empty, and the rules that need it are silent.
struct LintCase {
    RunMoment run;                               ///< its end, or outputs from elsewhere (outputs/opened_outputs.h)
    std::optional<TrainingReport> report = {};   ///< how it ended
    std::string table             = {};   ///< the state of its table's file when its training began (KeptRun::table)
    std::vector<RunMoment> others = {};   ///< ends of runs that are compared with it
    ViewOptions options = {};   ///< with which its scores are shown: what they were made of is not computed again
};

/// Asks all rules, in the order of the list. Predictions of the test rows are taken from what the views keep (views/scored_predictions.h); where there are none yet,
/// all rows are predicted if that is cheap, else some of them by fewer draws: a few seconds at most. A rule that does not apply to the run is silent; one that applies and fails
/// is listed as not judged. Call it on a worker.
/// @return  findings that are wrong before those that are doubtful, else in the order of the list; empty: stopped
std::optional<LintResult> lint(const LintCase& lint_case, const std::stop_token& stop = {});

/// Returns the Study with the settings of a remedy. @throws Error as set_field, if a field refuses its value
Study with_remedy(Study study, const Remedy& remedy);

/// Returns findings as text for terminals and reports, a paragraph each: title, evidence, reason, idea and threshold, remedy. Then the rules that could not be judged, those with
/// the same reason in one line. Only if every rule was checked without a finding does it say that nothing was found.
std::string findings_text(const LintResult& result);
/// Returns "r_hat, ess: The chains have 3 draws each …": a line for each reason.
std::vector<std::string> not_judged_lines(const LintResult& result);
/// Returns "Idea: Guo et al. 2017. Threshold: chosen for Credence: ….", without what is empty.
std::string origin_of(const Finding& finding);

}   // namespace credence
