// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QList>
#include <QPointer>
#include <QSplitter>
#include <QWidget>

#include <map>
#include <vector>

class QSplitter;
class ViewArea;
class ViewBinder;

/// The stage, divided into up to four areas by repeated halving. The first area always exists; the
/// other areas borrow the views that they show.
class AreaSplits : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t most = 4;

    AreaSplits(ViewArea& first, ViewBinder& binder, QWidget* parent);

    const std::vector<ViewArea*>& areas() const { return m_areas; }
    ViewArea& areaAround(const QWidget* widget) const;   ///< the first one if it is in none
    /// Splits an area. @return  the new half, with a view that is not shown elsewhere; null: the
    /// maximum number of areas is reached
    ViewArea* split(ViewArea& area, Qt::Orientation orientation);
    /// Shows this view to the right of the only area until `removeTemporary`; does nothing if there
    /// are several areas. It is not part of the saved state. The only area gets the width for a square
    /// picture, if that is more than half.
    void addTemporary(const QString& view);
    void removeTemporary();
    void close(ViewArea& area);               ///< its neighbour gets its space; does nothing if it is the only one
    void showAlone(const QWidget* inside);    ///< only the area around this widget; null: all
    QJsonObject state() const;                ///< splits with their sizes, and the views of all areas
    void restore(const QJsonObject& state);   ///< what cannot be read is left out

private:
    void add(ViewArea& area);
    QSplitter* splitterOf(const ViewArea& area) const;   ///< null: it is the only one
    void replace(QWidget& old, QWidget& by);
    void remove(ViewArea& area);
    void follow();
    QJsonObject written(const QWidget& node) const;
    void build(ViewArea& at, const QJsonObject& node);

    ViewArea& m_first;
    ViewBinder& m_binder;
    std::vector<ViewArea*> m_areas;
    QPointer<ViewArea> m_temporary;
    int m_made = 0;                                       ///< areas so far, for their names
    std::map<const QWidget*, QList<int>> m_sizesBefore;   ///< one area was shown alone
};

class QPalette;

QColor hairlineColour(const QPalette& palette);

/// A splitter with hairline handles that can be dragged.
class HairlineSplitter : public QSplitter {
public:
    HairlineSplitter(Qt::Orientation orientation, QWidget* parent);

private:
    QSplitterHandle* createHandle() override;
};
