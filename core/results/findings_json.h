// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/finding.h"

#include <nlohmann/json_fwd.hpp>

namespace credence {

/// Adds the linter's result to results.json. `findings`: objects with rule, severity ("wrong",
/// "doubtful"), title, evidence, reason, idea, threshold, and for a remedy its label and either
/// settings ({"training.kl_weight": "1"}) or view. `not_judged`, if there are such rules: objects
/// with rule and sentence.
void add_findings(nlohmann::ordered_json& json, const LintResult& result);

}   // namespace credence
