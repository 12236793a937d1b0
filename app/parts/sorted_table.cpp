// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/sorted_table.h"

#include "work/text.h"

#include "foundation/number_text.h"
#include "widgets/table_view.h"

#include <cmath>

using namespace credence;

const Table& SortedTable::table() const { return static_cast<const TableModel*>(sourceModel())->table(); }

std::optional<double> SortedTable::numberOf(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return number_from(*text);
    if (const auto* whole = std::get_if<long>(&cell))
        return static_cast<double>(*whole);
    return std::get<double>(cell);
}

QString SortedTable::wordsOf(const Cell& cell)
{
    const auto* text = std::get_if<std::string>(&cell);
    return text ? toQString(*text) : QString();
}

bool SortedTable::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const auto cell = [this](const QModelIndex& at) -> const Cell& {
        return table().rows[static_cast<std::size_t>(at.row())][static_cast<std::size_t>(at.column())];
    };
    const Cell &a = cell(left), &b = cell(right);
    const auto x = numberOf(a), y = numberOf(b);
    if (x && y)
        return std::isnan(*x) ? false : std::isnan(*y) || *x < *y;
    return x || y ? x.has_value() : wordsOf(a).localeAwareCompare(wordsOf(b)) < 0;
}
