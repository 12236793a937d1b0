// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "runs/experiment.h"

#include <optional>
#include <span>
#include <stop_token>

namespace credence {

/// Scores of several runs side by side: one row per score, one column per run. If a run lacks a
/// score (different task or level), its cell is empty. Scores are ordered by first occurrence. For
/// a run with validation images, the test-set scores share the rows of the other runs, and the
/// validation scores have their own rows.
/// @return  empty if `stop` was requested
std::optional<Chart> compare_scores(std::span<const RunSnapshot> runs, std::stop_token stop = {});

}   // namespace credence
