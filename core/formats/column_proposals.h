// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv.h"

#include <string>
#include <vector>

namespace credence {

/// What a column of a table most likely is, and whether to use it as an input.
struct ColumnProposal {
    enum class Kind { target, number, date, time, category, ordered, index, text, constant, empty, unreadable };
    std::string name   = {};
    Kind kind          = Kind::number;
    std::string reason = {};      ///< a few words: "80 to 120", "numbers the rows"
    bool use           = true;    ///< false: numbers or names the rows, free text, constant or empty
    bool may_be_codes  = false;   ///< few different whole numbers, or leading zeros: see CsvOptions::categories
};
std::string_view name_of(ColumnProposal::Kind kind);

/// The range of the values: "0.5 to 1200"; for dates "2024-01-10 to 2024-03-31".
std::string range_text(const ColumnSummary& summary, ColumnKind kind = ColumnKind::number);

/// Describes a column as an input. @param n_rows  of the table
ColumnProposal describe_column(const CsvColumn& column, std::size_t n_rows);

/// One proposal for each column of the file.
std::vector<ColumnProposal> propose_columns(const CsvPreview& preview);

}   // namespace credence
