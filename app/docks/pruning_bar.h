// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class ViewChoices;

/// A line above the pictures while weights are pruned: which ones, since every view shows what is left; and *Take back*.
class PruningBar : public QFrame {
    Q_OBJECT
public:
    explicit PruningBar(ViewChoices& choices, QWidget* parent = nullptr);

private:
    void refresh();

    ViewChoices& m_choices;
    QLabel* m_words;
};
