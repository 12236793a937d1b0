// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "outputs/bridge_against_sampling.h"

#include <QDialog>

#include <array>

namespace credence {
class ChartView;
}
class MessageBar;
class QComboBox;
class QDoubleSpinBox;
class QProgressBar;
class QPushButton;
class QTabWidget;

/// How many draws a histogram needs to be as good as the Laplace Bridge, and what either costs here and now (Hobbhahn 2020, Fig. 5.3): for the published Gaussians or
/// for one by hand. Not modal; closing it stops what is being computed.
class BridgeSamplingPanel : public QDialog {
    Q_OBJECT
public:
    explicit BridgeSamplingPanel(QWidget* parent = nullptr);
    ~BridgeSamplingPanel() override;

    bool busy() const { return m_job.busy(); }
    void compare();   ///< begins, also in place of what is being computed

private:
    QWidget* buildSettings();
    QWidget* buildByHand();
    std::vector<credence::SamplingCase> cases() const;   ///< @throws Error if the Gaussian by hand is none
    void showResult(const credence::BridgeAgainstSampling& result);
    void exportFigures();
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

    QComboBox *m_source, *m_draws;
    QWidget* m_byHand;
    std::array<QDoubleSpinBox*, 3> m_mu;
    std::array<QDoubleSpinBox*, 6> m_sigma;   ///< 11, 22, 33, 12, 13, 23
    QPushButton *m_start, *m_cancel, *m_export;
    QProgressBar* m_progress;
    MessageBar* m_message;
    QTabWidget* m_tabs;
    credence::ChartView *m_figure, *m_numbers;
    bool m_shown = false;
    Worker m_job;   // last: its thread ends before what its answers touch
};
