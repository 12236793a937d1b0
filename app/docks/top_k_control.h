// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

/// The threshold of the uncertainty-aware top-k and the longest list, for the chosen input and for the list lengths of the test set.
class TopKControl : public QWidget {
    Q_OBJECT
public:
    /// @param longest  classes that a list may have; 0: all
    TopKControl(double threshold, int longest, QWidget* parent);

signals:
    void thresholdChanged(double threshold);
    void longestChanged(int longest);
};
