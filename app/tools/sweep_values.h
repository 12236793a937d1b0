// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/fields.h"

#include <QString>

#include <vector>

// Values of one setting of a sweep, typed into one line.

/// Parses the line: "0, 0.1, 0.2"; ranges including both ends, "100 … 500 step 100", "0.0001 … 1 in
/// 5 points, log" (also with ... or to); settings that are lists have semicolons between values,
/// "50, 50; 100".
/// @param base  Study in which each value is checked
/// @throws credence::Error  one sentence: no value, a repeated value, an invalid value, or a range
///        that does not reach its end
std::vector<credence::FieldValue> sweepValues(const credence::Field& setting, const credence::Study& base,
                                              const QString& line);
/// Returns the line for these values.
QString sweepValuesLine(const std::vector<credence::FieldValue>& values);
/// Returns a default line: some of the choices, both answers, or the current value.
QString usualSweepValues(const credence::Field& setting, const credence::Study& base);
