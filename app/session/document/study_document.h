// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/document/autosave.h"

#include <QObject>
#include <QStringList>
#include <QUndoStack>

#include <functional>
#include <memory>
#include <vector>

class Session;

/// The Study under edit with its file, the contents of that file, and the undo stack. All changes
/// of the Study are made through this class.
///
/// Each undo step stores its document: undoing *Open* restores the previous document with its file
/// and its unsaved mark. Only `open`, `saveAs` and `resume` assign a file to a document, and `save`
/// writes only to this file. A file belongs to at most one document.
class StudyDocument : public QObject {
    Q_OBJECT
public:
    explicit StudyDocument(Session& session, QObject* parent = nullptr);

    Session& session() { return m_session; }
    QUndoStack& undo() { return m_undo; }
    const QString& file() const { return m_file->path; }   ///< absolute; empty: untitled
    QString name() const;                                  ///< name of the file, else of the Study
    bool modified() const;
    DocumentState state() const;
    /// Changes when another document replaces this one, also by undo.
    const void* identity() const { return m_file.get(); }

    /// Origin of the Study of a new document.
    enum class Origin {
        stored,    ///< can be opened again from its origin: a preset, a run, a link
        unsaved,   ///< not stored anywhere
    };
    /// Replaces this document by a new, untitled one, in one step.
    /// @param text  for the Undo menu
    void startNew(const credence::Study& study, const QString& text, Origin origin = Origin::stored);
    /// Replaces this document by the one in this file, in one step.
    /// @param study  the contents of the file
    void open(const QString& file, const credence::Study& study);
    /// Opens a document left with unsaved changes, in one step.
    void resume(const DocumentState& state, const QString& text);
    void restore(const DocumentState& state);   ///< At window start: leaves nothing to undo.

    /// Has another program changed the file since it was last read or written here?
    bool changedOnDisk() const;
    void save();                        ///< @pre the document has a file. @throws credence::Error
    void saveAs(const QString& file);   ///< @throws credence::Error

    /// @param text      for the Undo menu: "Learning rate η: 0.001 → 0.01"
    /// @param mergeKey  path of the setting, so that typing in one field is one step; empty: never
    ///        merged
    void edit(const credence::Study& after, const QString& text, const QString& mergeKey = {});
    /// Edits the Study with an undo text generated from the changed settings.
    void editSettings(const credence::Study& after, const QString& mergeKey = {});
    /// Selects another posterior family, with a matching study name, in one step.
    /// @return the other settings that changed with it, as worded in the Undo menu
    QStringList chooseFamily(const std::string& family);
    /// Selects another data source, with suitable settings and a matching study name, in one step.
    /// @return what changed with it, in groups
    QStringList chooseSource(const std::string& source);
    enum class SetChosen {
        already,      ///< already selected
        alone,        ///< only the data set changed
        with_study,   ///< Network, posterior, prior and training changed as well, as in the papers on images.
    };
    /// Uses this image data set (see datasets/catalogue.json), in one step.
    SetChosen chooseImageSet(const std::string& id);

    /// Registers a control whose typed text is not yet part of the Study.
    /// @param commit  commits the text; returns what is wrong with it, or an empty string
    void addFields(std::function<QString()> commit) { m_commits.push_back(std::move(commit)); }
    /// Commits typed text; call it before using the Study. @return  the error; empty: none
    QString commit() const;

signals:
    void changed();                           ///< File, unsaved mark or the whole document.
    void left(const DocumentState& before);   ///< another document replaces one with unsaved changes

private:
    friend class StudyCommand;
    struct File {
        QString path;
        std::optional<credence::Study> saved;   ///< see DocumentState
        /// Number of saves; typing before and after a save counts as two undo steps.
        int saves = 0;
    };
    void push(const credence::Study& after, const QString& text, const QString& mergeKey);
    void show(const credence::Study& study, const std::shared_ptr<File>& file);
    void replace(const credence::Study& study, std::shared_ptr<File> file, const QString& text);
    std::shared_ptr<File> known(const QString& path) const;   ///< null: no document has this file

    Session& m_session;
    std::shared_ptr<File> m_file;
    std::vector<std::weak_ptr<File>> m_files;   // of all documents that undo can restore
    std::vector<std::function<QString()>> m_commits;
    QUndoStack m_undo;   // last: its commands are destroyed before what they use
};
