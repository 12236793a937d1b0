// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/files.h"
#include "study/study.h"
#include "work/worker.h"

#include <QDateTime>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class StudyDocument;

/// A document as a value: Study, file, and saved contents.
struct DocumentState {
    credence::Study study;
    QString file{};   ///< absolute; empty: untitled
    std::optional<credence::Study>
        saved{};   ///< Contents of the file, or the starting point of an untitled document; empty: nothing is stored.

    bool modified() const { return !saved || !(study == *saved); }
    QString name() const;   ///< name of the file, else of the Study
    bool operator==(const DocumentState&) const = default;
};

/// The state of a window.
struct WindowState {
    DocumentState document{};
    QString run{};         ///< file of the displayed run; empty: not saved
    bool closed = false;   ///< closed by the user; false: the program ended otherwise
    QDateTime when{};      ///< time of writing
};

/// Writes the state atomically. Relative data files of the Study become absolute. @throws
/// credence::Error
void saveState(const WindowState& state, const std::filesystem::path& file);
/// @throws std::exception if the file is missing or damaged
WindowState loadState(const std::filesystem::path& file);

/// Returns the document for a later start: a Study without unsaved changes is read from its file
/// again. If the file is missing, the document becomes untitled with unsaved changes.
DocumentState continued(DocumentState state);

/// The newest documents that were replaced or closed with unsaved changes. Listed in the File menu.
namespace unsavedStudies {

struct Entry {
    std::filesystem::path file;   ///< file with its state
    DocumentState document;
    QDateTime when;
};

void add(const DocumentState& document);   ///< Replaces an older entry with the same Study.
std::vector<Entry> all();                  ///< newest first
void remove(const Entry& entry);
void forget(const DocumentState& document);   ///< The document has been saved.

}   // namespace unsavedStudies

/// Saves the state of a window one second after each change, in a folder that no other running
/// window uses. The next start restores the newest state, regardless of how its window ended.
/// Unsaved changes of the other windows are added to unsavedStudies.
class Autosave : public QObject {
    Q_OBJECT
public:
    /// @param displayedRun  file of the displayed run; empty: it is not saved
    Autosave(StudyDocument& document, std::function<QString()> displayedRun, QObject* parent = nullptr);
    ~Autosave() override;

    /// Restores the newest state; this window continues in its folder. @return  empty: there is
    /// none
    std::optional<WindowState> restoreNewest();
    /// For a start that restores nothing: leaves the newest state for a later start.
    void leaveNewest() { takeOver(false); }
    /// Documents with unsaved changes of other windows, found by the two functions above.
    const std::vector<DocumentState>& foundUnsaved() const { return m_foundUnsaved; }

    void close();   ///< Saves the final state immediately, marked as closed by the user; nothing is saved afterwards.

signals:
    void written();

private:
    std::optional<WindowState> takeOver(bool newest);
    WindowState now() const;
    void write();

    StudyDocument& m_document;
    std::function<QString()> m_displayedRun;
    QTimer m_soon;
    WindowState m_written;   // last saved state
    std::vector<DocumentState> m_foundUnsaved;
    std::unique_ptr<credence::OutputFolder> m_folder;   // null: nothing saved yet
    std::optional<Worker> m_writer;                     // empty: closed
};

/// Registers work that would end with the window: a sweep, export, download or training. Each kind
/// is registered once and queried when the window closes.
class UnfinishedWork {
public:
    struct Work {
        std::function<QString()>
            words;   ///< "A sweep is running: 12 of 40 cells have finished."; empty: nothing is in progress
        std::function<void()>
            discard{};   ///< discards what closing the window would otherwise save; empty: there is no such choice
    };

    /// @param owner  the entry is removed with it
    void add(const QObject* owner, Work work) { m_all.push_back({owner, std::move(work)}); }

    QStringList sentences() const;   ///< one for each kind of work in progress
    bool canDiscard() const;         ///< does any work in progress offer the choice?
    void discard() const;

private:
    struct Owned {
        QPointer<const QObject> owner;
        Work work;
    };
    std::vector<const Work*> inProgress() const;

    std::vector<Owned> m_all;
};
