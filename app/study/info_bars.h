// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
class ReferenceComparison;
class Toasts;
struct AppContext;

/// Shows a card over the charts while weights are pruned, since every view is affected; with *Undo
/// pruning*.
void addPruningToast(AppContext& context, Toasts& toasts);

/// Shows a card over the charts while methods are compared with the reference: current method,
/// number finished, and *Cancel*.
void addReferenceToast(ReferenceComparison& comparison, Toasts& toasts);

/// Shows above the settings that they belong to a displayed saved run and can be copied, or that
/// imported predictions are displayed, which have no settings.
class OtherStudy : public QFrame {
    Q_OBJECT
public:
    OtherStudy(AppContext& context, QWidget* parent);

signals:
    void oodRequested();   ///< predictions for OOD data, in addition to the displayed ones

private:
    void refresh();
    QString importedPredictionsText() const;

    AppContext& m_context;
    QLabel* m_text;
    QPushButton *m_copy, *m_back, *m_ood;
};
