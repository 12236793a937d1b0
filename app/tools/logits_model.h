// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outputs/bridge_of_file.h"

#include <QAbstractTableModel>

#include <memory>

/// The rows of a logits file with the bridge's results; fast enough to scroll and sort 50,000 rows.
class LogitsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        rowColumn,
        labelColumn,
        predictedColumn,
        confidenceColumn,
        totalColumn,
        lengthColumn,
        listedColumn,
        columns
    };
    enum class Filter { all, wrong, notListed, long_ };

    using QAbstractTableModel::QAbstractTableModel;

    void setRows(std::shared_ptr<const credence::LogitsFile> file, std::vector<credence::BridgedRow> rows);
    /// Appends the next rows of the file; the selected row stays selected.
    void append(const std::vector<credence::BridgedRow>& rows);
    void setFilter(Filter filter);
    bool labelled() const { return m_file && !m_file->labels().empty(); }
    std::size_t fileRow(int row) const
    {
        return m_order[static_cast<std::size_t>(row)];
    }                                                          ///< row of the file for a row of the table
    int tableRow(std::size_t fileRow) const;                   ///< -1: not shown
    std::size_t rowsOfFile() const { return m_rows.size(); }   ///< rows known so far
    const credence::BridgedRow& at(std::size_t fileRow) const { return m_rows[fileRow]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    bool isShown(const credence::BridgedRow& row) const;
    void arrange();
    QString nameOf(int label) const;

    std::shared_ptr<const credence::LogitsFile> m_file;
    std::vector<credence::BridgedRow> m_rows;
    std::vector<std::uint32_t> m_order;   ///< rows of the file that are shown
    Filter m_filter           = Filter::all;
    int m_column              = rowColumn;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
};
