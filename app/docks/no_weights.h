// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

class ViewBinder;

/// Replaces the charts of weights while imported predictions are displayed, and explains why.
class NoWeights : public QLabel {
    Q_OBJECT
public:
    /// @param instead  the widget hidden meanwhile
    NoWeights(ViewBinder& binder, QWidget* instead, QWidget* parent);
};
