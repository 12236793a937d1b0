// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
struct Workspace;

/// A line above the pictures while weights are pruned: which ones, since every view shows what is left; and *Take back*.
class PruningBar : public QFrame {
    Q_OBJECT
public:
    explicit PruningBar(Workspace& workspace, QWidget* parent = nullptr);

private:
    void refresh();

    Workspace& m_workspace;
    QLabel* m_words;
};
