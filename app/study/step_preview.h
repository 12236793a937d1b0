// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace credence {

struct Chart;
struct Study;
class ChartView;

}   // namespace credence

/// Previews a Study's steps next to its settings before training: step sizes, burn-in or cycles,
/// and saved draws. Hidden if there is nothing to show.
class StepPreview : public QWidget {
    Q_OBJECT
public:
    explicit StepPreview(QWidget* parent = nullptr);

    void showStepsOf(const credence::Study& study);
    const credence::Chart& chart() const;

private:
    credence::ChartView* m_picture;
};
