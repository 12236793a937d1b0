// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/tool_page.h"

#include "outputs/bridge_against_sampling.h"

#include <array>

class QComboBox;
class QDoubleSpinBox;

/// Shows how many samples a histogram needs to match the Laplace Bridge, and the cost of both on
/// this machine (Hobbhahn 2020, Fig. 5.3), for the published Gaussians or a given one.
class BridgeSamplingPanel : public ToolPage {
    Q_OBJECT
public:
    explicit BridgeSamplingPanel(QWidget* parent = nullptr);

private:
    QWidget* buildSettings();
    QWidget* buildByHand();
    Worker::Work work() override;
    void showMessage(const char* words);
    std::vector<credence::SamplingCase> cases() const;   ///< @throws Error if the entered covariance is invalid

    QComboBox *m_source, *m_draws;
    std::array<QDoubleSpinBox*, 3> m_mu{};
    std::array<QDoubleSpinBox*, 6> m_sigma{};   ///< 11, 22, 33, 12, 13, 23
    QWidget* m_byHand;
    credence::ChartView *m_figure, *m_numbers;
};
