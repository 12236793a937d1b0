// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "widgets/chart_palette.h"

#include <QAbstractTableModel>
#include <QFont>
#include <QSizeF>
#include <QStringList>
#include <QTableView>

#include <vector>

class QAbstractProxyModel;

namespace credence {

class ColumnWidths;

/// A Table as a model: right-aligned numbers, units in the head; missing numbers are a dash.
/// Qt::UserRole returns the number itself.
class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    void setTable(Table table);
    const Table& table() const { return m_table; }
    bool isRight(int column) const { return m_right[static_cast<std::size_t>(column)]; }   ///< its alignment

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    Table m_table;
    std::vector<bool>
        m_right;   // right-aligned columns: numbers, unless sentences between them would push them out of view
};

/// Shows a Table; Ctrl+C copies the selected cells (or all) as tab-separated text with the head.
class TableView : public QTableView {
    Q_OBJECT
public:
    explicit TableView(QWidget* parent = nullptr);
    void setTable(Table table);
    /// Shows the rows passed by a proxy of the table, in its order; copying uses the same rows.
    /// Replaces the selection model.
    void showThrough(QAbstractProxyModel& proxy);
    void copy() const;
    QSize sizeHint() const override;
    int neededWidth() const;   ///< of all columns, with their whole contents or as the user made them; pixels
    ColumnWidths& widths() const { return *m_widths; }   ///< that the user has given to columns

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int wantedWidth(int column) const;
    void fitColumns();
    void makeRoomForLast(int wanted);
    void fitLastColumn();
    void fitRows();
    TableModel* m_model;
    ColumnWidths* m_widths;
    std::vector<int> m_needed;   // maximum width requested by each column so far, pixels
    bool m_fitted  = false;      // the last column has the width that is left
    int m_narrowed = -1;         // this column gives it some of its width; -1: none
};

}   // namespace credence

class QPainter;
class QRectF;

namespace credence {

/// Formats a cell for display: with its column's decimals, else as the shortest readable number;
/// missing numbers are a dash.
QString cellText(const Cell& cell, const Column& column);
/// "Error / %"
QString columnTitle(const Column& column);

/// Numeric columns are right-aligned.
bool isNumeric(const Table& table, std::size_t column);

/// The head of a column: two lines if its title is wider than its cells.
QStringList headText(const Table& table, std::size_t column);

/// The size of a table in this font.
QSizeF tableSize(const Table& table, const QFont& font);
/// Draws a table with rules above, below the head and below the rows, numbers right-aligned; scaled
/// down to fit the width.
/// @param firstRow  first row to draw
/// @return          the first row that did not fit; the number of rows if all did
std::size_t paintTable(QPainter& painter, const QRectF& place, const Table& table, const QFont& font,
                       const ChartPalette& palette, std::size_t firstRow = 0);

}   // namespace credence
