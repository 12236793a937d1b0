// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/chart.h"

#include <QAbstractTableModel>

/// The numbers behind a chart, as a Qt table: what *Show data* shows and a screen reader gets.
class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    void setTable(credence::Table table);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    credence::Table m_table;
};
