// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "results/results.h"

#include <string>

/// The table in columns of characters: words to the left, numbers to the right, units beside them.
std::string plainTable(const credence::Table& table);

/// The table of scores, or why there is none; then the views that could not be made, a line each.
std::string scoresText(const credence::WrittenResults& written);

/// What the linter found, behind an empty line; nothing where it was not asked.
std::string findingsText(const credence::WrittenResults& written);
