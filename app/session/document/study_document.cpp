// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/document/study_document.h"

#include "runs/changed_points.h"
#include "session/session.h"
#include "sources/image_sources.h"
#include "study/fields.h"
#include "study/names.h"
#include "study/presets.h"
#include "study/usual_settings.h"
#include "work/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QUndoCommand>

#include <algorithm>
#include <filesystem>

using namespace credence;

namespace {

constexpr int undoLimit = 200;   ///< steps; each stores two Studies

QString absolutePath(const QString& file) { return QDir::cleanPath(QFileInfo(file).absoluteFilePath()); }

Study withAbsolutePaths(Study study)
{
    resolve_paths(study, std::filesystem::current_path());
    return study;
}

}   // namespace

/// One change of the whole Study with its document. Consecutive changes with the same merge key are
/// one step, unless a network was trained or the Study saved in between.
class StudyCommand : public QUndoCommand {
public:
    StudyCommand(StudyDocument& document, Study after, std::shared_ptr<StudyDocument::File> fileAfter,
                 const QString& text, QString mergeKey)
        : QUndoCommand(text), m_document(document), m_before(document.session().study()), m_after(std::move(after)),
          m_fileBefore(document.m_file), m_fileAfter(std::move(fileAfter)), m_saves(m_fileBefore->saves),
          m_mergeKey(std::move(mergeKey))
    {
        if (const auto& run = document.session().run(); run.trained())
            m_trained = run.experiment->study;
    }

    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* newer) override;
    void undo() override { m_document.show(m_before, m_fileBefore); }
    void redo() override { m_document.show(m_after, m_fileAfter); }

private:
    StudyDocument& m_document;
    Study m_before, m_after;
    std::shared_ptr<StudyDocument::File> m_fileBefore, m_fileAfter;
    int m_saves;   ///< save count of the previous document when this step was created
    QString m_mergeKey;
    std::optional<Study> m_trained;   ///< Study of the displayed network; empty: not trained
};

bool StudyCommand::mergeWith(const QUndoCommand* newer)
{
    const auto* other         = static_cast<const StudyCommand*>(newer);   // equal ids guarantee the type
    const bool trainedBetween = other->m_trained && !(m_trained && sameTraining(*m_trained, *other->m_trained));
    if (other->m_mergeKey != m_mergeKey || trainedBetween || other->m_saves != m_saves
        || other->m_fileAfter != m_fileBefore)
        return false;
    m_after          = other->m_after;
    const auto lines = differences(m_before, m_after);
    if (lines.size() == 1)
        setText(toQString(lines.front()));
    setObsolete(m_before == m_after);
    return true;
}

StudyDocument::StudyDocument(Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_file(std::make_shared<File>(File{{}, session.study()}))
{
    m_undo.setUndoLimit(undoLimit);
    m_files.push_back(m_file);
    connect(&session, &Session::studyChanged, this, &StudyDocument::changed);
    session.setEdit([this](const Study& after) { edit(after, tr("Restart with the current points")); });
}

bool StudyDocument::modified() const { return !m_file->saved || !(m_session.study() == *m_file->saved); }

QString StudyDocument::name() const
{
    return m_file->path.isEmpty() ? toQString(m_session.study().name) : QFileInfo(m_file->path).fileName();
}

DocumentState StudyDocument::state() const { return {m_session.study(), m_file->path, m_file->saved}; }

/// Shows a Study of this document, or of another document reached by undo or redo.
void StudyDocument::show(const Study& study, const std::shared_ptr<File>& file)
{
    const bool another = file != m_file;
    if (another && modified())
        Q_EMIT left(state());
    m_file = file;   // set first: receivers of the new Study may query the file
    m_session.setStudy(study);
    if (another)
        Q_EMIT changed();
}

void StudyDocument::push(const Study& after, const QString& text, const QString& mergeKey)
{
    m_undo.push(new StudyCommand(*this, after, m_file, text, mergeKey));
}

void StudyDocument::replace(const Study& study, std::shared_ptr<File> file, const QString& text)
{
    std::erase_if(m_files, [](const auto& one) { return one.expired(); });
    m_files.push_back(file);
    m_undo.push(new StudyCommand(*this, study, std::move(file), text, {}));
}

std::shared_ptr<StudyDocument::File> StudyDocument::known(const QString& path) const
{
    for (const auto& one : m_files)
        if (auto file = one.lock(); file && file->path == path)
            return file;
    return nullptr;
}

void StudyDocument::startNew(const Study& study, const QString& text, Origin origin)
{
    if (origin == Origin::stored && m_file->path.isEmpty() && study == m_session.study())
        return;   // selected again
    replace(study, std::make_shared<File>(File{{}, origin == Origin::stored ? std::optional(study) : std::nullopt}),
            text);
}

void StudyDocument::open(const QString& given, const Study& study)
{
    const QString path = absolutePath(given);
    auto file          = known(path);
    if (!file)
        file = std::make_shared<File>(File{path, {}});
    if (file == m_file && study == m_session.study()) {   // already open
        file->saved = study;
        Q_EMIT changed();
        return;
    }
    const bool wasModified = file == m_file && modified();
    if (wasModified)
        Q_EMIT left(state());
    file->saved = study;
    replace(study, std::move(file), tr("Open %1").arg(QFileInfo(path).fileName()));
    Q_EMIT changed();
}

void StudyDocument::resume(const DocumentState& state, const QString& text)
{
    auto file = state.file.isEmpty() ? nullptr : known(state.file);
    if (!file || file->saved != state.saved)
        file = std::make_shared<File>(File{state.file, state.saved});
    replace(state.study, std::move(file), text);
    Q_EMIT changed();
}

void StudyDocument::restore(const DocumentState& state)
{
    m_undo.clear();
    m_file = std::make_shared<File>(File{state.file, state.saved});
    m_files.push_back(m_file);
    m_session.setStudy(state.study);
    Q_EMIT changed();
}

bool StudyDocument::changedOnDisk() const
{
    if (!QFileInfo::exists(m_file->path))
        return false;
    try {
        return !m_file->saved || !(load_study(m_file->path.toStdString()) == withAbsolutePaths(*m_file->saved));
    } catch (const std::exception&) {
        return true;
    }
}

void StudyDocument::save() { saveAs(m_file->path); }

void StudyDocument::saveAs(const QString& given)
{
    const QString path = absolutePath(given);
    const Study& study = m_session.study();
    save_study(study, path.toStdString());
    for (const auto& one : m_files)   // another document, reachable by undo, no longer has its file
        if (auto file = one.lock(); file && file != m_file && file->path == path)
            *file = {};
    m_file->path  = path;
    m_file->saved = study;
    ++m_file->saves;
    unsavedStudies::forget(state());
    Q_EMIT changed();
}

QString StudyDocument::commit() const
{
    QString mistake;
    for (const auto& commit : m_commits)
        if (const QString found = commit(); mistake.isEmpty())
            mistake = found;
    return mistake;
}

// Changes within the document, worded as in the Undo menu.

namespace {

/// Returns the Study with its point changes from the start of training, since they belong to the
/// training in which they were made. With other data, the changes are dropped.
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
        const auto atHand = available_image_sources();
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
                                       : QCoreApplication::translate("StudyDocument", "in the default Study"),
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
