// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/document/document_state.h"
#include "work/worker.h"

#include "foundation/files.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class StudyDocument;

/// Saves the state of a window one second after each change, in a folder that no other running
/// window uses. At the next start the newest state is restored, however its window ended; unsaved
/// changes of the others are added to unsavedStudies.
class Autosave : public QObject {
    Q_OBJECT
public:
    /// @param displayedRun  file of the displayed run; empty: it is not saved
    Autosave(StudyDocument& document, std::function<QString()> displayedRun, QObject* parent = nullptr);
    ~Autosave() override;

    /// Restores the newest state; this window continues in its folder. @return  empty: there is
    /// none
    std::optional<WindowState> restoreNewest();
    /// For a start that restores nothing: keeps the newest state for a later start.
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
