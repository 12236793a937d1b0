// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/view_tabs.h"

class MainTabs;
class ChainSelectionControl;
class RowsPanel;
struct AppContext;

/// Training progress, and results on the test set.
class TrainingDock : public ViewTabs {
    Q_OBJECT
public:
    TrainingDock(AppContext& context, ViewBinder& binder, MainTabs& centre, QWidget* parent);
    void showRows();   ///< brings the test-row table to the front, for images their grid

private:
    void addRows(AppContext& context, ViewBinder& binder);
    void addLongest(AppContext& context, ViewBinder& binder);
    void connectBrush(AppContext& context, ViewBinder& binder);

    MainTabs& m_mainTabs;
    ChainSelectionControl* m_brush;
    RowsPanel* m_rows;
    double m_pressedAt = 0;   // on the axis of the trace's steps
    bool m_brushing    = false;
};
