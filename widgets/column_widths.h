// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QObject>
#include <QString>

class QHeaderView;

namespace credence {

/// Stores the widths that the user gives to table columns by dragging their edges. Widths are
/// stored by column title and apply again when a column with this title returns. All other columns
/// keep the widths set by the table, and a stretched column keeps the remaining width. A double
/// click on an edge makes a column automatic again.
class ColumnWidths : public QObject {
    Q_OBJECT
public:
    explicit ColumnWidths(QHeaderView* header);

    int of(int column) const;   ///< pixels; 0: the user has not changed it
    void apply();               ///< call it after the table has set its own column widths
    /// All stored widths in units of line height, so that they scale with the text size.
    const QMap<QString, double>& all() const { return m_widths; }
    void set(const QMap<QString, double>& widths);
    /// Marks the column that takes the remaining width, so that this width is not stored; -1: none.
    void setStretched(int column) { m_stretched = column; }

signals:
    void changed();   ///< by the user

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QString titleOf(int column) const;
    bool isStretched(int column) const;
    int columnOfEdge(int x) const;
    void release();

    QHeaderView* m_header;
    QMap<QString, double> m_widths;
    int m_stretched = -1;
    int m_dragged   = -1;   ///< the column whose edge is dragged; -1: none
    int m_before    = 0;    ///< its width when the mouse was pressed
};

}   // namespace credence
