// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"

#include <QObject>

class PictureDesk;
class PredictionArea;
struct Workspace;

/// The place (see PictureDesk) of the comparison of ticked runs.
QString comparedPlace();

/// The ticked runs side by side: one quantity on one colour scale, the selected input on every map,
/// and boxplots of all runs.
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
