// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class PictureDesk;
class QWidget;
class ViewPanel;
struct Workspace;

/// The map of points of imported predictions: the colours are selected above it, and a click
/// selects the nearest row.
class PointsPage : public QObject {
    Q_OBJECT
public:
    PointsPage(Workspace& workspace, PictureDesk& desk, QWidget* parent);
    ViewPanel* panel() const { return m_panel; }
    bool applies() const;   ///< to the displayed run

private:
    void choose(double x, double y);
    void mark();

    Workspace& m_workspace;
    ViewPanel* m_panel;
};
