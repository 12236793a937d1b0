// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/fields.h"

#include <QString>

#include <vector>

// Values of one setting of a sweep as they are typed into one line.

/// Returns what the line says: "0, 0.1, 0.2"; ranges with both ends, "100 … 500 step 100", "0.0001 … 1 in 5 points, log" (also with ... or to); settings that are lists themselves
/// have semicolons between their values, "50, 50; 100".
/// @param base  what the values are set into, one by one
/// @throws credence::Error  one sentence: no value, one that stands twice, one that the setting does not take, a range that does not come to its end
std::vector<credence::FieldValue> sweepValues(const credence::Field& setting, const credence::Study& base,
                                              const QString& line);
/// Returns the line that gives these values again.
QString sweepValuesLine(const std::vector<credence::FieldValue>& values);
/// Returns a line to begin with: some of the choices, both answers, or the value of now.
QString usualSweepValues(const credence::Field& setting, const credence::Study& base);
