// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/law_editor.h"

#include "session/settings.h"
#include "work/text.h"

#include "figures/simplex_presets.h"
#include "foundation/error.h"
#include "outputs/bridge_of_file.h"

#include <QUndoCommand>
#include <QUndoStack>

using namespace credence;

namespace {

BridgeVariant rememberedVariant()
{
    try {
        return bridge_variant_named(read(settings::bridgeVariant).toStdString());
    } catch (const Error&) {   // settings of another version
        return BridgeVariant::projected;
    }
}

}   // namespace

/// One manual change. A whole drag is one undo step.
class LawCommand : public QUndoCommand {
public:
    LawCommand(LawEditor& editor, LawEditor::State before, LawEditor::State after, const QString& text,
               QString mergeKey)
        : QUndoCommand(text), m_editor(editor), m_before(std::move(before)), m_after(std::move(after)),
          m_mergeKey(std::move(mergeKey))
    {}
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 2; }
    bool mergeWith(const QUndoCommand* newer) override
    {
        const auto* other = static_cast<const LawCommand*>(newer);   // equal ids guarantee the type
        if (other->m_mergeKey != m_mergeKey || &other->m_editor != &m_editor)
            return false;
        m_after = other->m_after;
        return true;
    }
    void undo() override { m_editor.apply(m_before); }
    void redo() override { m_editor.apply(m_after); }

private:
    LawEditor& m_editor;
    LawEditor::State m_before, m_after;
    QString m_mergeKey;
};

LawEditor::LawEditor(QUndoStack& undo, QObject* parent) : QObject(parent), m_undo(undo)
{
    m_state.hand    = LogitHandles(simplex_presets().front().law);
    m_state.variant = rememberedVariant();
}

void LawEditor::edit(State after, const QString& text, const QString& mergeKey)
{
    m_undo.push(new LawCommand(*this, m_state, std::move(after), text, mergeKey));
}

void LawEditor::apply(const State& state)
{
    const State before = std::exchange(m_state, state);
    if (before.variant != state.variant)
        write(settings::bridgeVariant, toQString(name(state.variant)));
    Q_EMIT changed(before);
}

void LawEditor::setSource(LawSource source)
{
    if (source == m_state.source)
        return;
    State after  = m_state;
    after.source = source;
    edit(after, source == LawSource::by_hand ? tr("Simplex: move by hand") : tr("Simplex: follow the selected input"));
}

void LawEditor::setVariant(BridgeVariant variant)
{
    State after   = m_state;
    after.variant = variant;
    edit(after, tr("Laplace Bridge: %1").arg(toQString(title_of(variant))), QStringLiteral("variant"));
}

void LawEditor::choosePreset(int index)
{
    const auto& preset = simplex_presets()[static_cast<std::size_t>(index)];
    Q_EMIT noted(toQString(preset.note));
    edit({.source = LawSource::by_hand, .hand = LogitHandles(preset.law), .variant = preset.variant},
         tr("Simplex: %1").arg(toQString(preset.title)));
}

void LawEditor::moveByHand(const LogitHandles& hand, const QString& text, const QString& mergeKey)
{
    Q_EMIT noted({});
    State after  = m_state;
    after.source = LawSource::by_hand;
    after.hand   = hand;
    edit(after, text, mergeKey);
}

void LawEditor::follow(const std::optional<LogitHandles>& hand, const QStringList& names)
{
    m_state.hand  = hand;
    m_state.names = names;
}
