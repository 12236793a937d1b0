// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/document/study_document.h"

#include "session/session.h"
#include "work/text.h"

#include "runs/changed_points.h"
#include "study/fields.h"

#include <QDir>
#include <QFileInfo>
#include <QUndoCommand>

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

/// Shows a Study of this document, or of another one reached by undo or redo.
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
    for (const auto& one : m_files)   // another document, reachable by undo, has lost its file
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
