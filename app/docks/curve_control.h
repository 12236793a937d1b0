// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class ViewChoices;

/// What the curves of all ticked runs show, and on which axis.
class CurveControl : public QWidget {
    Q_OBJECT
public:
    CurveControl(ViewChoices& choices, QWidget* parent);
};
