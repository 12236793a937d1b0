// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "charts/chart.h"
#include "simplex/beta.h"

#include <QWidget>

class NumberSlider;
class QGridLayout;
class ViewPanel;

/// A Beta distribution and its Laplace approximation in both bases (Hobbhahn 2020, Fig. 2.1),
/// controlled by two sliders.
class BetaPanel : public QWidget {
    Q_OBJECT
public:
    explicit BetaPanel(QWidget* parent = nullptr);

    credence::Beta law() const { return m_law; }
    void setLaw(const credence::Beta& law);
    const credence::Chart& chart() const;
    ViewPanel* picture() const { return m_picture; }
    bool busy() const { return m_job.busy(); }

signals:
    void exportRequested(const QString& view);

private:
    NumberSlider* addRow(QGridLayout* grid, const QString& name, const QString& help);
    void take(const credence::Beta& law);
    void showEvent(QShowEvent* event) override;
    void request();

    credence::Beta m_law{4, 2};
    bool m_stale = true;   ///< changed since last drawn
    ViewPanel* m_picture;
    NumberSlider *m_a, *m_b;
    Worker m_job{{.niceness = 0, .newer = Worker::Newer::waits_for_old}};
};
