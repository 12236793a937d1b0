// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linter/finding.h"

#include <nlohmann/json_fwd.hpp>

#include <span>

namespace credence {

/// Returns what results.json says of findings: a list of objects with rule, severity ("wrong", "doubtful"), title, evidence, source, reason, and of a remedy its label and either settings
/// ({"training.kl_weight": "1"}) or view.
nlohmann::ordered_json findings_to_json(std::span<const Finding> findings);

}   // namespace credence
