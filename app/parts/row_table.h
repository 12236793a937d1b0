// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "charts/data_rows.h"
#include "parts/view_panel.h"

#include <QSortFilterProxyModel>
#include <QWidget>

#include <optional>

/// Sorts the rows of a TableModel: numbers by size with missing ones last, text alphabetically.
class SortedTable : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    const credence::Table& table() const;
    /// Returns the number in a cell or in its text, for classes named 0, 1, 2.
    static std::optional<double> numberOf(const credence::Cell& cell);
    static QString wordsOf(const credence::Cell& cell);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

namespace credence {
class TableView;
}
class QComboBox;
class QLabel;
class QLineEdit;
class QStackedLayout;
class SortedRows;

/// The table of the view test_rows: click a heading to sort, filter the rows, and select one by
/// click or arrow keys. Handles any number of rows. Ctrl+C copies the selected rows.
class RowTable : public QWidget {
    Q_OBJECT
public:
    explicit RowTable(QWidget* parent = nullptr);
    void setChart(const credence::Chart& chart);   ///< the chart of test_rows, or a message instead of it
    void choose(int row);                          ///< marks it, without a signal; -1: none
    QWidget* head() const { return m_head; }       ///< filters and count, for the line above
    void takeFocus();                              ///< so that the arrow keys select rows

    /// Adds a filter for the rows that a bar counts. Without rows, the filter is removed.
    void list(const credence::RowsOfBar& bar);

    /// `wrong` and those after it apply to classes, `far` to numeric targets.
    enum class Filter { all, listed, far, wrong, uncertain, certain_but_wrong };

signals:
    void rowChosen(int row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildHead();
    void buildTable();
    void fitFilters(bool classes);
    void refresh();
    void mark();
    Filter filter() const;
    QString wordsOfNone() const;

    SortedRows* m_sorted;
    credence::TableView* m_table;
    QWidget* m_head;
    QComboBox* m_filter;
    QLineEdit* m_class;
    QLabel* m_count;
    QLabel* m_words;   ///< in the table's place: why there is no row
    QStackedLayout* m_stack;
    QString m_message;   // in place of rows
    bool m_classes  = false;
    int m_columns   = 0;   // that were put in order
    int m_chosen    = -1;
    bool m_choosing = false;
};

class ViewBinder;
class RowTable;
struct AppContext;

/// The view test_rows: a table in which rows can be sorted, filtered and selected.
class RowsPanel : public ViewPanel {
    Q_OBJECT
public:
    explicit RowsPanel(QWidget* parent = nullptr);
    /// Synchronises the selected row with the selected input.
    void join(AppContext& context, ViewBinder& binder, const QString& place);
    void takeFocus();   ///< of the keyboard

private:
    RowTable* m_rows;
};
