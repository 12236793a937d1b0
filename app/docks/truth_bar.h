// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QProgressBar;
class TruthComparison;

/// A line above the charts while methods are compared with the reference: current method, number
/// finished, and *Cancel*.
class TruthBar : public QFrame {
    Q_OBJECT
public:
    explicit TruthBar(TruthComparison& comparison, QWidget* parent = nullptr);

private:
    void refresh();

    TruthComparison& m_comparison;
    QLabel* m_words;
    QProgressBar* m_bar;
};
