// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/dataset.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace credence {

enum class ColumnKind {
    number,
    date,       ///< days since 1970-01-01
    time,       ///< hours of the day
    ordered,    ///< categories with an order: one input 0, 1, 2, …
    category,   ///< one input per category, 0 or 1
};
std::string_view name_of(ColumnKind kind);                           ///< "number", "date", …
std::optional<ColumnKind> column_kind_from(std::string_view name);   ///< empty: no such kind

/// How the numbers of a column are written, so that a single new cell can be read as they were.
enum class CellStyle {
    plain,   ///< with the table's decimal mark
    point,   ///< decimal point, with thousands separators, signs or units
    comma,   ///< decimal comma, likewise
    year_month_day,
    day_month_year,
    month_day_year,
    time_of_day,
};
std::string_view name_of(CellStyle style);
std::optional<CellStyle> cell_style_from(std::string_view name);

/// One column of a table and how its cells become inputs.
struct TableColumn {
    std::string name     = {};
    ColumnKind kind      = ColumnKind::number;
    std::size_t position = 0;                  ///< in the file, from 0
    CellStyle style      = CellStyle::plain;   ///< number, date, time
    /// Category, in the order of the inputs; ordered, lowest first; the classes of a target.
    std::vector<std::string> categories = {};
    /// Missing cells were replaced by `fill`, and an input "NAME missing" (0 or 1) follows; for a
    /// category, they are the category `missing_category` instead.
    bool imputed = false;
    /// Of the training rows: the median; for a category, the index of the most frequent one.
    double fill   = 0;
    double lowest = 0, highest = 0;   ///< of the training rows; not for a category

    std::size_t n_inputs() const;
    bool operator==(const TableColumn&) const = default;
};

inline constexpr auto missing_category = "missing";

/// How a table was read: all that is needed to read new rows without the old table.
struct TableSchema {
    std::vector<TableColumn> columns       = {};     ///< of the inputs, in their order
    TableColumn target                     = {};     ///< category: classification
    std::vector<TableColumn> other_targets = {};     ///< numbers: the targets after the first
    std::size_t n_columns                  = 0;      ///< of the file, with unused ones
    bool header                            = true;   ///< the file has column names
    bool decimal_comma                     = false;

    std::size_t n_inputs() const;
    std::vector<TableColumn> targets() const;       ///< all of them
    std::vector<std::string> input_names() const;   ///< [n_inputs]: "age", "age missing", "colour=red"
    bool operator==(const TableSchema&) const = default;
};

/// Returns the schema with fill values and ranges of these training rows.
/// @param data  read with this schema
/// @param rows  the training rows; missing cells are left out
TableSchema with_training_rows(TableSchema schema, const Dataset& data, std::span<const std::uint32_t> rows);

/// Replaces the missing cells by the fill values of the schema.
void fill_missing(Dataset& data, const TableSchema& schema);

}   // namespace credence
