// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// Is this the text of a table, such as cells copied from a spreadsheet: several lines, the first with separators?
bool isTableText(const QString& text);

/// Writes the text to a new file in the folder of pasted tables: "Pasted table 2026-11-27 10-15-30.tsv".
/// @return  its path; empty: it could not be written
QString storePastedTable(const QString& text);
