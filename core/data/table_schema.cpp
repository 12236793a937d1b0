// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/table_schema.h"

#include "foundation/progress.h"

#include <algorithm>
#include <array>
#include <utility>

namespace credence {
namespace {

using namespace std::string_view_literals;

constexpr std::array kind_names{std::pair{ColumnKind::number, "number"sv}, std::pair{ColumnKind::date, "date"sv},
                                std::pair{ColumnKind::time, "time"sv}, std::pair{ColumnKind::ordered, "ordered"sv},
                                std::pair{ColumnKind::category, "category"sv}};
constexpr std::array style_names{std::pair{CellStyle::plain, "plain"sv},
                                 std::pair{CellStyle::point, "point"sv},
                                 std::pair{CellStyle::comma, "comma"sv},
                                 std::pair{CellStyle::year_month_day, "year-month-day"sv},
                                 std::pair{CellStyle::day_month_year, "day-month-year"sv},
                                 std::pair{CellStyle::month_day_year, "month-day-year"sv},
                                 std::pair{CellStyle::time_of_day, "time"sv}};

template <class List, class Value>
std::string_view name_in(const List& list, Value value)
{
    return std::ranges::find(list, value, [](const auto& entry) { return entry.first; })->second;
}

template <class List>
auto value_in(const List& list, std::string_view name) -> std::optional<decltype(list.front().first)>
{
    const auto found = std::ranges::find(list, name, [](const auto& entry) { return entry.second; });
    return found == list.end() ? std::nullopt : std::optional(found->first);
}

/// The middle value; of an even number of values the mean of the middle two.
double median_of(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// Number, date, time or order: fill value and range of the rows where the cell is present.
void summarise_numbers(TableColumn& column, std::vector<double> present)
{
    if (present.empty())
        return;
    const auto [low, high] = std::ranges::minmax_element(present);
    column.lowest          = *low;
    column.highest         = *high;
    column.fill            = median_of(std::move(present));
}

}   // namespace

std::string_view name_of(ColumnKind kind) { return name_in(kind_names, kind); }
std::string_view name_of(CellStyle style) { return name_in(style_names, style); }
std::optional<ColumnKind> column_kind_from(std::string_view name) { return value_in(kind_names, name); }
std::optional<CellStyle> cell_style_from(std::string_view name) { return value_in(style_names, name); }

std::size_t TableColumn::n_inputs() const { return kind == ColumnKind::category ? categories.size() : imputed ? 2 : 1; }

std::size_t TableSchema::n_inputs() const
{
    std::size_t n = 0;
    for (const TableColumn& column : columns)
        n += column.n_inputs();
    return n;
}

std::vector<TableColumn> TableSchema::targets() const
{
    std::vector<TableColumn> all{target};
    all.insert(all.end(), other_targets.begin(), other_targets.end());
    return all;
}

std::vector<std::string> TableSchema::input_names() const
{
    std::vector<std::string> names;
    for (const TableColumn& column : columns) {
        if (column.kind == ColumnKind::category) {
            for (const std::string& value : column.categories)
                names.push_back(column.name + "=" + value);
            continue;
        }
        names.push_back(column.name);
        if (column.imputed)
            names.push_back(column.name + " missing");
    }
    return names;
}

TableSchema with_training_rows(TableSchema schema, const Dataset& data, std::span<const std::uint32_t> rows)
{
    std::size_t first = 0;
    for (TableColumn& column : schema.columns) {
        stop_point();
        if (column.kind == ColumnKind::category) {
            std::vector<std::size_t> times(column.categories.size(), 0);
            for (const std::uint32_t i : rows)
                for (std::size_t k = 0; k < times.size(); ++k)
                    times[k] += data.row(i)[first + k] != 0;
            column.fill = static_cast<double>(std::ranges::max_element(times) - times.begin());
        } else {
            std::vector<double> present;
            present.reserve(rows.size());
            for (const std::uint32_t i : rows)
                if (!column.imputed || data.row(i)[first + 1] == 0)
                    present.push_back(data.row(i)[first]);
            summarise_numbers(column, std::move(present));
        }
        first += column.n_inputs();
    }
    if (data.task == Task::regression) {
        const std::size_t T = data.n_targets();
        for (std::size_t t = 0; t < T; ++t) {
            std::vector<double> targets;
            targets.reserve(rows.size());
            for (const std::uint32_t i : rows)
                targets.push_back(data.targets[i * T + t]);
            summarise_numbers(t == 0 ? schema.target : schema.other_targets.at(t - 1), std::move(targets));
        }
    }
    return schema;
}

void fill_missing(Dataset& data, const TableSchema& schema)
{
    std::size_t first = 0;
    for (const TableColumn& column : schema.columns) {
        if (column.imputed && column.kind != ColumnKind::category)
            for (std::size_t i = 0; i < data.n_rows; ++i)
                if (double* x = data.inputs.data() + i * data.n_features + first; x[1] != 0)
                    x[0] = column.fill;
        first += column.n_inputs();
    }
}

}   // namespace credence
