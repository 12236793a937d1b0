// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class ViewBinder;
class QWidget;
class ViewPanel;
struct AppContext;

/// The map of points of imported predictions: the colours are selected above it, and a click
/// selects the nearest row.
class PointsPage : public QObject {
    Q_OBJECT
public:
    PointsPage(AppContext& context, ViewBinder& binder, QWidget* parent);
    ViewPanel* panel() const { return m_panel; }
    bool applies() const;   ///< to the displayed run

private:
    void choose(double x, double y);
    void mark();

    AppContext& m_context;
    ViewPanel* m_panel;
};
