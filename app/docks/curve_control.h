// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class ViewChoices;

/// Quantity and axis of the curves of all ticked runs.
class CurveControl : public QWidget {
    Q_OBJECT
public:
    CurveControl(ViewChoices& choices, QWidget* parent);
};
