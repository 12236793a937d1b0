// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

/// The threshold of the uncertainty-aware top-k, for the selected input and the list lengths of the
/// test set.
class TopKControl : public QWidget {
    Q_OBJECT
public:
    TopKControl(double threshold, QWidget* parent);

signals:
    void thresholdChanged(double threshold);
};
