// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/study_commands.h"

#include "session/session.h"
#include "work/text.h"

#include "runs/changed_points.h"
#include "sources/image_sources.h"
#include "study/family_settings.h"
#include "study/fields.h"
#include "study/image_settings.h"
#include "study/names.h"
#include "study/presets.h"

#include <QCoreApplication>
#include <QUndoStack>

#include <algorithm>

using namespace credence;

StudyCommand::StudyCommand(Session& session, Study after, const QString& text, QString mergeKey)
    : QUndoCommand(text), m_session(session), m_before(session.study()), m_after(std::move(after)),
      m_mergeKey(std::move(mergeKey))
{
    if (session.run().trained())
        m_trained = session.run().experiment->study;
}

bool StudyCommand::mergeWith(const QUndoCommand* newer)
{
    const auto* other         = static_cast<const StudyCommand*>(newer);   // ids agree, so it is one
    const bool trainedBetween = other->m_trained && !(m_trained && sameTraining(*m_trained, *other->m_trained));
    if (other->m_mergeKey != m_mergeKey || trainedBetween)
        return false;
    m_after          = other->m_after;
    const auto lines = differences(m_before, m_after);
    if (lines.size() == 1)
        setText(toQString(lines.front()));
    setObsolete(m_before == m_after);
    return true;
}

void StudyCommand::undo() { m_session.setStudy(m_before); }
void StudyCommand::redo() { m_session.setStudy(m_after); }

namespace {

/// What points became while a net was trained belongs to that training: where another setting changes they are there from the start. Other data have none of them.
Study withoutChanges(Study after, const Session& session)
{
    const Study& now = session.study();
    if (after.data.changes.empty() || after.data.changes != now.data.changes || sameTraining(after, now))
        return after;
    const auto& experiment = session.run().experiment;
    if (after.data == now.data && experiment && sameTraining(now, experiment->study))
        return with_points_from_start(std::move(after), *experiment->data);
    after.data.changes.clear();
    return after;
}

}   // namespace

StudyEditor::StudyEditor(Session& session, QUndoStack& undo) : m_session(session), m_undo(undo)
{
    session.setEdit([this](const Study& after) {
        edit(after, QCoreApplication::translate("StudyEditor", "Restart with the current points"));
    });
}

void StudyEditor::edit(const Study& wanted, const QString& text, const QString& mergeKey)
{
    const Study after = withoutChanges(wanted, m_session);
    if (!(after == m_session.study()))
        m_undo.push(new StudyCommand(m_session, after, text, mergeKey));
}

void StudyEditor::editSettings(const Study& after, const QString& mergeKey)
{
    const auto lines = differences(m_session.study(), after);
    edit(after,
         lines.size() == 1 ? toQString(lines.front())
                           : QCoreApplication::translate("StudyEditor", "Change %1 settings").arg(lines.size()),
         mergeKey);
}

namespace {

/// What a preset with these settings says of them.
std::string noteFor(const Study& study)
{
    const auto* same = preset_with(study);
    return same ? same->study.note : std::string();
}

}   // namespace

QStringList StudyEditor::chooseSource(const std::string& source)
{
    const Study& now = m_session.study();
    Study after      = with_data_source(now, source);
    if (source == DataSource::images && !names_a_path(after.data.images.set)
        && !find_image_source(after.data.images.set)) {
        const auto atHand =
            image_sources_at_hand();   // what the program draws itself comes first; what was fetched or imported is meant here
        const auto file = std::find_if(atHand.begin(), atHand.end(),
                                       [](const ImageSource& one) { return !one.folder.empty(); });
        if (file != atHand.end())
            after.data.images.set = file->id;
    }
    if (is_named_as_preset(now))   // a name of one's own stays
        after.name = named_for_source(after);
    if (is_named_as_preset(now) && is_noted_as_preset(now))
        after.note = noteFor(after);
    QString text;
    for (const auto& change : changes_between(now, after))
        if (change.path == "data.source")
            text = toQString(change.text());
    const bool wholeStudy = is_images(source) != is_images(now.data.source);   // asked before `now` is the changed one
    edit(after, text);
    if (!wholeStudy)
        return {};
    return {QCoreApplication::translate("StudyEditor", "network, posterior, prior and training as %1 for %2")
                .arg(is_images(source) ? QCoreApplication::translate("StudyEditor", "in the papers")
                                       : QCoreApplication::translate("StudyEditor", "at the start"),
                     is_images(source) ? QCoreApplication::translate("StudyEditor", "images")
                                       : QCoreApplication::translate("StudyEditor", "points"))};
}

/// Stroke digits and letters are a source of their own; all others are images of a set.
StudyEditor::SetChosen StudyEditor::chooseImageSet(const std::string& id)
{
    const Study& now   = m_session.study();
    const bool strokes = id.starts_with("stroke-");
    const bool same    = is_images(now.data.source);
    Study after        = with_data_source(now, strokes ? DataSource::strokes : DataSource::images);
    if (strokes)
        after.data.images.alphabet = id == "stroke-letters" ? StrokeAlphabet::letters : StrokeAlphabet::digits;
    else
        after.data.images.set = id;
    after.data.images.only_classes.clear();   // classes of another set
    if (after == now)
        return SetChosen::already;
    after.name = named_for_source(after);
    after.note.clear();
    edit(after, QCoreApplication::translate("StudyEditor", "Use data set %1").arg(toQString(id)));
    return same ? SetChosen::alone : SetChosen::with_study;
}

QStringList StudyEditor::chooseFamily(const std::string& family)
{
    const Study& now = m_session.study();
    Study after      = with_family_defaults(now, family).study;
    QString text;
    QStringList along;
    for (const auto& change : changes_between(now, after)) {
        if (change.path == "posterior.family")
            text = toQString(change.text());
        else if (field(change.path).applies(after))
            along += toQString(change.text());
    }
    after.name = named_for_family(now.name, now.posterior.family, family);
    if (is_noted_as_preset(now))   // it speaks of the family that was
        after.note = noteFor(after);
    edit(after, text);
    return along;
}
