// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv.h"

namespace credence {

/// What a user should know about how read_csv reads this table: columns left out, numbers in
/// special notation, numbers that became categories. One sentence each, with the column and what to
/// do.
/// @throws Error as read_csv if the table cannot be read at all
std::vector<std::string> csv_notes(const std::filesystem::path& file, const CsvOptions& options);

}   // namespace credence
