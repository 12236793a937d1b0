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

/// One for each column of the file, see `propose_columns`. Unreadable columns stay inputs, so that their problem is
/// shown.
std::vector<ColumnLine> columnLines(credence::CsvPreview preview);

/// The range of its numbers: "0.5 to 190,000".
QString rangeText(const credence::ColumnSummary& summary);
