// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/finding.h"
#include "views/views.h"

#include <optional>
#include <span>
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
/// all rows are predicted if that is cheap, else some of them by fewer draws: a few seconds at most. A rule that cannot be asked is silent. Call it on a worker.
/// @return  what is wrong before what is doubtful, else in the order of the list; empty: stopped
std::optional<std::vector<Finding>> lint(const LintCase& lint_case, const std::stop_token& stop = {});

/// Returns the Study with the settings of a remedy. @throws Error as set_field, if a field refuses its value
Study with_remedy(Study study, const Remedy& remedy);

/// Returns findings as text for terminals and reports, a paragraph each: title, evidence with its source, reason, what mends it. Without findings one line says so.
std::string findings_text(std::span<const Finding> findings);

}   // namespace credence
