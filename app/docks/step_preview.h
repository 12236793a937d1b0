// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <memory>

namespace credence {
struct Chart;
struct Study;
class ChartView;
}   // namespace credence

/// What a Study says of its steps before it is trained, beside the settings that say it: step sizes, burn-in or cycles, and where draws are kept. Hidden where there is nothing to see.
class StepPreview : public QWidget {
    Q_OBJECT
public:
    explicit StepPreview(QWidget* parent = nullptr);

    void showStepsOf(const credence::Study& study);
    const credence::Chart& chart() const;

private:
    credence::ChartView* m_picture;
};
