// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QObject>
#include <QString>

class QHeaderView;

namespace credence {

/// The widths that the user has given to the columns of a table by dragging their edges, by the titles of the
/// columns: they apply again when columns of these titles return. All other columns keep the widths that their table
/// gives them, and so does a column with the width that is left. A double click on an edge makes a column automatic
/// again.
class ColumnWidths : public QObject {
    Q_OBJECT
public:
    explicit ColumnWidths(QHeaderView* header);

    int of(int column) const;   ///< pixels; 0: the user has not changed it
    void apply();               ///< after the table has given the columns its own widths
    /// In heights of a line of text, so that they follow the text size.
    const QMap<QString, double>& all() const { return m_widths; }
    void set(const QMap<QString, double>& widths);
    /// This column has the width that is left, which is nobody's choice; -1: none.
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
