// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class ViewBinder;
class QSpinBox;
struct AppContext;

/// Weights: histograms, signal-to-noise, a single weight, the prior and the kernels; and the
/// pruning slider.
class WeightsDock : public QWidget {
    Q_OBJECT
public:
    WeightsDock(AppContext& context, ViewBinder& binder, QWidget* parent);

private:
    QSpinBox* buildWeight(AppContext& context, ViewBinder& binder);
};
