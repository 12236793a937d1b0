// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/view_tabs.h"

class Centre;
class ChainBrushControl;
class RowsPanel;
struct Workspace;

/// Training progress, and results on the test set.
class TrainingDock : public ViewTabs {
    Q_OBJECT
public:
    TrainingDock(Workspace& workspace, PictureDesk& desk, Centre& centre, QWidget* parent);
    void showRows();   ///< brings the test-row table to the front, for images their grid

private:
    void addRows(Workspace& workspace, PictureDesk& desk);
    void addLongest(Workspace& workspace, PictureDesk& desk);
    void connectBrush(Workspace& workspace, PictureDesk& desk);

    Centre& m_centre;
    ChainBrushControl* m_brush;
    RowsPanel* m_rows;
    double m_pressedAt = 0;   // on the axis of the trace's steps
    bool m_brushing    = false;
};
