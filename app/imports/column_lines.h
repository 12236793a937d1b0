// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv.h"

#include <QString>

#include <vector>

/// How the import dialog describes a column of the file.
struct ColumnLine {
    QString kind;         ///< "number", "category", "index", "text", …
    QString reason;       ///< why, in a few words: "412 different whole numbers"
    QString unit;         ///< in brackets after its name; empty: none
    bool useful = true;   ///< false: numbers or names the rows, is constant or empty; not an input unless asked for
    bool mayBeClasses = false;   ///< numbers that may be categories
};

std::vector<ColumnLine> columnLines(const credence::CsvPreview& preview);

/// The range of its numbers: "0.5 to 190,000".
QString rangeText(const credence::ColumnSummary& summary);

/// The unit at the end of a column name: "MPa" for "strength [MPa]", "days" for "age (days)"; empty: none.
QString unitOf(const QString& name);
