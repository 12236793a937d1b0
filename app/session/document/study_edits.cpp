// SPDX-License-Identifier: GPL-3.0-or-later
// Changes within the document, as worded in the Undo menu.
#include "session/document/study_document.h"

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

#include <algorithm>

using namespace credence;

namespace {

/// Points changed during training belong to that training: if another setting changes, they are
/// present from the start. Other data drop the changes.
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

void StudyDocument::edit(const Study& wanted, const QString& text, const QString& mergeKey)
{
    const Study after = withoutChanges(wanted, m_session);
    if (!(after == m_session.study()))
        push(after, text, mergeKey);
}

void StudyDocument::editSettings(const Study& after, const QString& mergeKey)
{
    const auto lines = differences(m_session.study(), after);
    edit(after,
         lines.size() == 1 ? toQString(lines.front())
                           : QCoreApplication::translate("StudyDocument", "Change %1 settings").arg(lines.size()),
         mergeKey);
}

namespace {

/// The note of a preset with these settings.
std::string noteFor(const Study& study)
{
    const auto* same = preset_with(study);
    return same ? same->study.note : std::string();
}

}   // namespace

QStringList StudyDocument::chooseSource(const std::string& source)
{
    const Study& now = m_session.study();
    Study after      = with_data_source(now, source);
    if (source == DataSource::images && !names_a_path(after.data.images.set)
        && !find_image_source(after.data.images.set)) {
        // Generated sets come first in the list; prefer a downloaded or imported one.
        const auto atHand = image_sources_at_hand();
        const auto file   = std::find_if(atHand.begin(), atHand.end(),
                                         [](const ImageSource& one) { return !one.folder.empty(); });
        if (file != atHand.end())
            after.data.images.set = file->id;
    }
    if (is_named_as_preset(now))   // names given by the user are kept
        after.name = named_for_source(after);
    if (is_named_as_preset(now) && is_noted_as_preset(now))
        after.note = noteFor(after);
    QString text;
    for (const auto& change : changes_between(now, after))
        if (change.path == "data.source")
            text = toQString(change.text());
    const bool wholeStudy = is_images(source) != is_images(now.data.source);   // computed before the edit changes `now`
    edit(after, text);
    if (!wholeStudy)
        return {};
    return {QCoreApplication::translate("StudyDocument", "network, posterior, prior and training as %1 for %2")
                .arg(is_images(source) ? QCoreApplication::translate("StudyDocument", "in the papers")
                                       : QCoreApplication::translate("StudyDocument", "in the default study"),
                     is_images(source) ? QCoreApplication::translate("StudyDocument", "images")
                                       : QCoreApplication::translate("StudyDocument", "points"))};
}

/// Stroke digits and letters are a source of their own; all other sets use the source images.
StudyDocument::SetChosen StudyDocument::chooseImageSet(const std::string& id)
{
    const Study& now   = m_session.study();
    const bool strokes = id.starts_with("stroke-");
    const bool same    = is_images(now.data.source);
    Study after        = with_data_source(now, strokes ? DataSource::strokes : DataSource::images);
    if (strokes)
        after.data.images.alphabet = id == "stroke-letters" ? StrokeAlphabet::letters : StrokeAlphabet::digits;
    else
        after.data.images.set = id;
    after.data.images.only_classes.clear();   // classes of another data set
    if (after == now)
        return SetChosen::already;
    after.name = named_for_source(after);
    after.note.clear();
    edit(after, QCoreApplication::translate("StudyDocument", "Use data set %1").arg(toQString(id)));
    return same ? SetChosen::alone : SetChosen::with_study;
}

QStringList StudyDocument::chooseFamily(const std::string& family)
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
    if (is_noted_as_preset(now))   // the note describes the previous family
        after.note = noteFor(after);
    edit(after, text);
    return along;
}
