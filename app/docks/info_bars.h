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

class QProgressBar;
class ReferenceComparison;

/// A line above the charts while methods are compared with the reference: current method, number
/// finished, and *Cancel*.
class ReferenceBar : public QFrame {
    Q_OBJECT
public:
    explicit ReferenceBar(ReferenceComparison& comparison, QWidget* parent = nullptr);

private:
    void refresh();

    ReferenceComparison& m_comparison;
    QLabel* m_words;
    QProgressBar* m_bar;
};

class QPushButton;

/// Shows above the settings that they belong to a displayed saved run, which can be copied, or that
/// imported predictions are displayed, which have none.
class OtherStudy : public QFrame {
    Q_OBJECT
public:
    OtherStudy(AppContext& context, QWidget* parent);

signals:
    void oodRequested();   ///< predictions for OOD data, in addition to the displayed ones

private:
    void refresh();
    QString outputsOnShow() const;

    AppContext& m_context;
    QLabel* m_text;
    QPushButton *m_copy, *m_back, *m_ood;
};
