// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/pruning_preview.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
struct AppContext;

/// Controls pruning: fraction, criterion, per layer or overall, with or without biases; and shows
/// the score of the pruned displayed network. All views follow, see ViewOptions::prune.
class PruningControl : public QWidget {
    Q_OBJECT
public:
    PruningControl(AppContext& context, QWidget* parent);

private:
    QWidget* buildShare();
    QWidget* buildChoices();
    void set(bool moving);   // what the controls say
    void refresh();          // the controls say what is set
    void ask();
    void tell(const credence::PrunedScores& scores);

    AppContext& m_context;
    QLabel* m_words;
    QSlider* m_share;
    QComboBox* m_by;
    QCheckBox* m_perLayer;
    QCheckBox* m_biases;
    QLabel* m_score;
    PruningPreview m_preview;   // last: its threads end first
};
