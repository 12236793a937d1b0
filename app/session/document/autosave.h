// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/document/document_state.h"
#include "work/worker.h"

#include "foundation/output_folder.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class StudyDocument;

/// Saves what a window has open one second after it changed, in a folder that no other window uses while this one lives. At a later start the newest window is restored, however it ended;
/// the unsaved changes of the others become entries of unsavedStudies.
class Autosave : public QObject {
    Q_OBJECT
public:
    /// @param displayedRun  file of the displayed run; empty: it is not stored
    Autosave(StudyDocument& document, std::function<QString()> displayedRun, QObject* parent = nullptr);
    ~Autosave() override;

    /// What the newest window had open. This window continues in its folder. @return  empty: no window has left anything
    std::optional<WindowState> restoreNewest();
    /// At a start that restores nothing: the newest window is left for a later one.
    void leaveNewest() { takeOver(false); }
    /// Documents with unsaved changes that other windows left, found by the two functions above.
    const std::vector<DocumentState>& foundUnsaved() const { return m_foundUnsaved; }

    void close();   ///< saves the last state at once, as that of a window closed by its user; nothing is saved after it

signals:
    void written();

private:
    std::optional<WindowState> takeOver(bool newest);
    WindowState now() const;
    void write();

    StudyDocument& m_document;
    std::function<QString()> m_displayedRun;
    QTimer m_soon;
    WindowState m_written;   // what was saved last
    std::vector<DocumentState> m_foundUnsaved;
    std::unique_ptr<credence::OutputFolder> m_folder;   // null: nothing was saved yet
    std::optional<Worker> m_writer;                     // empty: closed
};
