// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tools/simplex_controls.h"

#include "figures/logit_handles.h"

#include <QObject>

#include <optional>

class QUndoStack;

/// The Gaussian over three logits of the tab *Simplex*, its source and bridge: the state that
/// *Undo* restores.
class LawEditor : public QObject {
    Q_OBJECT
public:
    struct State {
        LawSource source = LawSource::by_hand;
        std::optional<credence::LogitHandles>
            hand;   ///< the distribution set by hand; also that of a selected input with three classes
        credence::BridgeVariant variant = credence::BridgeVariant::projected;
        QStringList names{};   ///< of the three classes; empty: unnamed
    };

    LawEditor(QUndoStack& undo, QObject* parent);

    const State& state() const { return m_state; }
    const credence::LogitHandles& hand() const { return *m_state.hand; }   ///< @pre there is one
    void setSource(LawSource source);
    void choosePreset(int index);
    void setVariant(credence::BridgeVariant variant);
    /// @param mergeKey  equal for changes merged into one undo step
    void moveByHand(const credence::LogitHandles& hand, const QString& text, const QString& mergeKey);
    /// The distribution of the selected input, from which a drag continues. No undo step and no
    /// signal.
    void follow(const std::optional<credence::LogitHandles>& hand, const QStringList& names);

signals:
    void changed(const LawEditor::State& before);
    void noted(const QString& note);   ///< note on the distribution; empty: none

private:
    friend class LawCommand;
    void edit(State after, const QString& text, const QString& mergeKey = {});
    void apply(const State& state);

    QUndoStack& m_undo;
    State m_state;
};
