// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "docks/view_tabs.h"

class Centre;
class ChainBrushControl;
struct Workspace;

/// How the training went, and what the run does on the test set.
class TrainingDock : public ViewTabs {
    Q_OBJECT
public:
    TrainingDock(Workspace& workspace, PictureDesk& desk, Centre& centre, QWidget* parent);

private:
    void connectBrush(Workspace& workspace, PictureDesk& desk);

    ChainBrushControl* m_brush;
    double m_pressedAt = 0;   // on the axis of the trace's steps
    bool m_brushing    = false;
};
