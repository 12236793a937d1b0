// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class PictureDesk;
class QSpinBox;
struct Workspace;

/// Weights: histograms, signal-to-noise, a single weight, the prior and the kernels; and the
/// pruning slider.
class WeightsDock : public QWidget {
    Q_OBJECT
public:
    WeightsDock(Workspace& workspace, PictureDesk& desk, QWidget* parent);

private:
    QSpinBox* buildWeight(Workspace& workspace, PictureDesk& desk);
};
