// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_commands.h"

#include "session.h"

#include "study/fields.h"

#include <QCoreApplication>
#include <QUndoStack>

using namespace credence;

StudyCommand::StudyCommand(Session& session, Study after, const QString& text, QString mergeKey)
    : QUndoCommand(text), m_session(session), m_before(session.study()), m_after(std::move(after)), m_mergeKey(std::move(mergeKey))
{
}

bool StudyCommand::mergeWith(const QUndoCommand* newer)
{
    const auto* other = static_cast<const StudyCommand*>(newer);   // ids agree, so it is one
    if (other->m_mergeKey != m_mergeKey)
        return false;
    m_after = other->m_after;
    const auto lines = differences(m_before, m_after);
    if (lines.size() == 1)
        setText(QString::fromStdString(lines.front()));
    setObsolete(m_before == m_after);
    return true;
}

void StudyCommand::undo() { m_session.setStudy(m_before); }
void StudyCommand::redo() { m_session.setStudy(m_after); }

void StudyEditor::edit(const Study& after, const QString& text, const QString& mergeKey)
{
    if (!(after == m_session.study()))
        m_undo.push(new StudyCommand(m_session, after, text, mergeKey));
}

void StudyEditor::editSettings(const Study& after, const QString& mergeKey)
{
    const auto lines = differences(m_session.study(), after);
    edit(after, lines.size() == 1 ? QString::fromStdString(lines.front())
                                  : QCoreApplication::translate("StudyEditor", "Change %n setting(s)", nullptr, static_cast<int>(lines.size())),
         mergeKey);
}
