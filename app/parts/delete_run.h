// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>

#include <memory>

class SavedRunEntry;
class SavedRuns;

/// Removes a saved run from the table and moves its file to the trash; undo restores both.
class DeleteRunCommand : public QUndoCommand {
public:
    DeleteRunCommand(SavedRuns& runs, int row);
    void undo() override;
    void redo() override;

private:
    SavedRuns& m_runs;
    int m_row;
    std::shared_ptr<SavedRunEntry> m_entry;
};
