// SPDX-License-Identifier: GPL-3.0-or-later
#include "table_model.h"

#include <cmath>

using namespace credence;

void TableModel::setTable(Table table)
{
    const bool sameShape = table.columns.size() == m_table.columns.size() && table.rows.size() == m_table.rows.size();
    if (!sameShape)
        beginResetModel();
    m_table = std::move(table);
    if (!sameShape)
        endResetModel();
    else if (!m_table.rows.empty() && !m_table.columns.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));   // keeps selection and place
}

int TableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size()); }
int TableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size()); }

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    const auto& row = m_table.rows.at(static_cast<std::size_t>(index.row()));
    if (static_cast<std::size_t>(index.column()) >= row.size())
        return {};
    const Cell& cell = row[static_cast<std::size_t>(index.column())];
    if (role == Qt::TextAlignmentRole)
        return QVariant((std::holds_alternative<std::string>(cell) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (const auto* words = std::get_if<std::string>(&cell))
        return QString::fromStdString(*words);
    if (const auto* whole = std::get_if<long>(&cell))
        return QString::number(*whole);
    const double number = std::get<double>(cell);
    if (std::isnan(number))
        return QStringLiteral("–");
    const int decimals = m_table.columns[static_cast<std::size_t>(index.column())].decimals;
    return decimals >= 0 ? QString::number(number, 'f', decimals) : QString::number(number, 'g', 5);
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section + 1;
    const auto& column = m_table.columns.at(static_cast<std::size_t>(section));
    return QString::fromStdString(column.unit.empty() ? column.name : column.name + " / " + column.unit);
}
