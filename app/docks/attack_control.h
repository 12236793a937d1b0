// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/selection.h"
#include "work/worker.h"

#include "views/attacker.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class NumberSlider;
class QComboBox;
struct AppContext;

/// Strength, kind and gradient of an attack. Moving the slider attacks the selected input, and the
/// result becomes the selected input, like a perturbed image; 0 restores the original. An input
/// selected elsewhere is not attacked until the slider moves.
class AttackControl : public QWidget {
    Q_OBJECT
public:
    AttackControl(AppContext& context, QWidget* parent);

    void fit(const credence::Experiment& experiment, bool otherData);   ///< strengths that suit these data
    bool busy() const { return m_worker.busy() || m_rest.isActive(); }

signals:
    void failed(const QString& sentence);   ///< the chosen input could not be attacked; it stays as it was

private:
    QComboBox* addBox(const QString& name, const QString& title, const QString& tip);
    void notify();   ///< kind and gradient
    void attack(double epsilon);
    void take(credence::AttackedInput attacked);
    void choose(bool moving);
    void takeBack();
    void releaseInput();   ///< of the attacked input: another one was chosen

    AppContext& m_context;
    NumberSlider* m_epsilon;
    QComboBox *m_kind, *m_gradient;
    std::optional<ChosenInput> m_origin;   // before the attack; empty: the chosen input is not attacked
    credence::AttackedInput m_attacked;
    bool m_choosing = false;   // it is this control that chooses
    QTimer m_rest;             // until the hand has come to rest
    Worker m_worker;           // last: its thread ends first
};
