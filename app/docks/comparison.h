// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QObject>

class PictureDesk;
class PredictionArea;
struct Workspace;

/// The place where the ticked runs stand side by side.
QString comparedPlace();

/// The ticked runs beside one another: one quantity on one colour scale, the one chosen input on every map, and boxplots of all of them.
class Comparison : public QObject {
    Q_OBJECT
public:
    Comparison(Workspace& workspace, PictureDesk& desk, PredictionArea* area);
    void show(bool on);

signals:
    void closed();

private:
    void mark();

    Workspace& m_workspace;
    PictureDesk& m_desk;
    PredictionArea& m_area;
    credence::Chart m_chart;   // without the mark of the chosen input
};
