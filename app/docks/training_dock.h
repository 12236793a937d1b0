// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "docks/view_tabs.h"

class Centre;

/// How the training went, and what the run does on the test set.
class TrainingDock : public ViewTabs {
    Q_OBJECT
public:
    TrainingDock(PictureDesk& desk, Centre& centre, QWidget* parent);
};
