// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class PictureDesk;
class QSpinBox;
struct Workspace;

/// The weights: histograms, signal-to-noise, one of them, the prior and the kernels; and the slider that prunes them.
class WeightsDock : public QWidget {
    Q_OBJECT
public:
    WeightsDock(Workspace& workspace, PictureDesk& desk, QWidget* parent);

private:
    QSpinBox* buildWeight(Workspace& workspace, PictureDesk& desk);
};
