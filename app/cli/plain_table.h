// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "results/results.h"

#include <string>

/// Formats a table in text columns: text left-aligned, numbers right-aligned, followed by their
/// units.
std::string plainTable(const credence::Table& table);

/// The table of scores, or the reason why there is none, followed by one line for each view that
/// could not be made.
std::string scoresText(const credence::WrittenResults& written);

/// The linter's findings after an empty line; empty if the linter did not run.
std::string findingsText(const credence::WrittenResults& written);
