// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formats/csv.h"

namespace credence {

/// What a user should know of how read_csv reads this table: columns that are left out, numbers that are not written plainly, numbers that became categories. One
/// sentence each, which names the column and what to do.
/// @throws Error as read_csv where the table cannot be read at all
std::vector<std::string> csv_notes(const std::filesystem::path& file, const CsvOptions& options);

}   // namespace credence
