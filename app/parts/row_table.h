// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QWidget>

namespace credence {
class TableModel;
}
class QComboBox;
class QLabel;
class QSortFilterProxyModel;
class QTableView;

/// The test rows of table data: sorted by a click on a column, filtered by what went wrong, and each is chosen by a click.
class RowTable : public QWidget {
    Q_OBJECT
public:
    explicit RowTable(QWidget* parent = nullptr);
    void setChart(const credence::Chart& chart);   ///< of test_rows
    void choose(int row);                          ///< marks it, without a signal

    enum class Filter { all, wrong, uncertain };

signals:
    void rowChosen(int row);
    void becameVisible();

private:
    void showEvent(QShowEvent* event) override;
    void refresh();

    credence::TableModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QTableView* m_table;
    QComboBox* m_filter;
    QLabel* m_count;
    bool m_choosing = false;
};
