// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/dataset.h"

#include <filesystem>
#include <optional>

namespace credence {

enum class CsvHeader { detect, yes, no };

struct CsvOptions {
    CsvHeader   header        = CsvHeader::detect;
    char        separator     = 0;       ///< ',', ';', '\t', ' ' or '|'; 0: found from the first lines
    bool        decimal_comma = false;   ///< 1,5 is one and a half (needs another separator than ',')
    std::string target;                  ///< column name or 1-based number; empty: the last column
    std::vector<std::string> columns;    ///< names or 1-based numbers of the inputs; empty: all but the target
    std::optional<Task> task;            ///< empty: classification if the target has words or at most 20 different whole numbers

    bool operator==(const CsvOptions&) const = default;
};

struct CsvColumn {
    std::string name;
    bool        categorical = false;            ///< becomes one-hot, one column a value, values sorted; `?` is a value of its own
    std::vector<std::string> values;            ///< the different values, sorted; categorical only
};

/// What the import dialog shows before anything is loaded.
struct CsvPreview {
    CsvOptions  resolved;                       ///< with header, separator, target and task decided
    std::vector<CsvColumn> columns;             ///< all columns of the file
    std::vector<std::vector<std::string>> rows; ///< the first rows, as text
    std::size_t n_rows = 0;
};

/// UTF-8 with or without BOM, quotes as in RFC 4180, line ends of any kind.
/// @throws Error "mushrooms.csv, line 17: found 21 columns, expected 23." — nothing is loaded
CsvPreview preview_csv(const std::filesystem::path& file, const CsvOptions& options, std::size_t rows = 100);
Dataset    read_csv(const std::filesystem::path& file, const CsvOptions& options);

}  // namespace credence
