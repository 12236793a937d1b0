// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/open_logits.h"

#include "work/text.h"

#include <algorithm>
#include <cmath>

using namespace credence;

void LogitsModel::setRows(std::shared_ptr<const LogitsFile> file, std::vector<BridgedRow> rows)
{
    beginResetModel();
    m_file = std::move(file);
    m_rows = std::move(rows);
    arrange();
    endResetModel();
}

void LogitsModel::append(const std::vector<BridgedRow>& rows)
{
    std::vector<std::uint32_t> shown;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (isShown(rows[i]))
            shown.push_back(static_cast<std::uint32_t>(m_rows.size() + i));
    m_rows.insert(m_rows.end(), rows.begin(), rows.end());
    if (shown.empty())
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(shown.size()) - 1);
    m_order.insert(m_order.end(), shown.begin(), shown.end());
    endInsertRows();
    if (m_column != rowColumn || m_direction != Qt::AscendingOrder)
        sort(m_column, m_direction);
}

void LogitsModel::setFilter(Filter filter)
{
    beginResetModel();
    m_filter = filter;
    arrange();
    endResetModel();
}

int LogitsModel::tableRow(std::size_t fileRow) const
{
    const auto found = std::find(m_order.begin(), m_order.end(), static_cast<std::uint32_t>(fileRow));
    return found == m_order.end() ? -1 : static_cast<int>(found - m_order.begin());
}

bool LogitsModel::isShown(const BridgedRow& row) const
{
    switch (m_filter) {
    case Filter::all: return true;
    case Filter::wrong: return row.label >= 0 && row.predicted != row.label;
    case Filter::notListed: return row.label >= 0 && !row.listed;
    case Filter::long_: return row.list_length > 1;
    }
    return true;
}

void LogitsModel::arrange()
{
    m_order.clear();
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (isShown(m_rows[i]))
            m_order.push_back(static_cast<std::uint32_t>(i));
    const auto key = [this](std::uint32_t i) -> double {
        const auto& row = m_rows[i];
        switch (m_column) {
        case labelColumn: return row.label;
        case predictedColumn: return row.predicted;
        case confidenceColumn: return row.confidence;
        case totalColumn: return row.log_total;
        case lengthColumn: return row.list_length;
        case listedColumn: return row.listed;
        default: return i;
        }
    };
    const bool up = m_direction == Qt::AscendingOrder;
    std::stable_sort(m_order.begin(), m_order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return up ? key(a) < key(b) : key(b) < key(a); });
}

void LogitsModel::sort(int column, Qt::SortOrder order)
{
    Q_EMIT layoutAboutToBeChanged();
    const auto before = persistentIndexList();   // the selected row stays selected
    std::vector<std::size_t> rows;
    for (const auto& index : before)
        rows.push_back(fileRow(index.row()));
    m_column    = column < 0 ? static_cast<int>(rowColumn) : column;
    m_direction = order;
    arrange();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << index(i > 0 && rows[static_cast<std::size_t>(i)] == rows[static_cast<std::size_t>(i) - 1]
                           ? after.back().row()
                           : tableRow(rows[static_cast<std::size_t>(i)]),
                       before[i].column());
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

int LogitsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}
int LogitsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(columns);
}

QString LogitsModel::nameOf(int label) const
{
    return label < 0 ? QString() : toQString(m_file->class_names()[static_cast<std::size_t>(label)]);
}

QVariant LogitsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const std::size_t fileRow = m_order[static_cast<std::size_t>(index.row())];
    const auto& row           = m_rows[fileRow];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(index.column() == labelColumn || index.column() == predictedColumn
                                           || index.column() == listedColumn
                                       ? Qt::AlignLeft | Qt::AlignVCenter
                                       : Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && row.label >= 0 && row.label != row.predicted)
        return tr("True %1, predicted %2").arg(nameOf(row.label), nameOf(row.predicted));
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case rowColumn: return static_cast<qulonglong>(fileRow);
    case labelColumn: return nameOf(row.label);
    case predictedColumn: return nameOf(row.predicted);
    case confidenceColumn: return QString::number(static_cast<double>(row.confidence), 'f', 4);
    case totalColumn: return QString::number(std::exp(static_cast<double>(row.log_total)), 'g', 4);
    case lengthColumn: return row.list_length;
    case listedColumn: return row.label < 0 ? QString() : row.listed ? tr("yes") : tr("no");
    default: return {};
    }
}

QVariant LogitsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const bool tip = role == Qt::ToolTipRole;
    switch (section) {
    case rowColumn: return tip ? tr("Row of the file, from 0") : tr("Row");
    case labelColumn: return tip ? tr("The true class, from the array labels") : tr("True");
    case predictedColumn: return tip ? tr("Class of the largest mean α_k/α_0") : tr("Predicted");
    case confidenceColumn: return tip ? tr("The largest mean α_k/α_0 of the Dirichlet") : tr("Confidence");
    case totalColumn:
        return tip ? tr("α_0, the sum of the pseudo-counts: the larger, the more concentrated the Dirichlet")
                   : tr("α₀");
    case lengthColumn:
        return tip ? tr("Number of classes in the uncertainty-aware top-k list at this threshold") : tr("List");
    case listedColumn: return tip ? tr("Whether the list contains the true class") : tr("In list");
    default: return {};
    }
}
