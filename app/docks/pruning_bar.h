// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
struct AppContext;

/// A line above the charts while weights are pruned, since every view is affected; with *Undo
/// pruning*.
class PruningBar : public QFrame {
    Q_OBJECT
public:
    explicit PruningBar(AppContext& context, QWidget* parent = nullptr);

private:
    void refresh();

    AppContext& m_context;
    QLabel* m_words;
};
