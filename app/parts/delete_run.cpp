// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/delete_run.h"

#include "session/saved_runs.h"
#include "work/text.h"

#include <QCoreApplication>

DeleteRunCommand::DeleteRunCommand(SavedRuns& runs, int row)
    : QUndoCommand(
        QCoreApplication::translate("DeleteRunCommand", "Delete run %1").arg(toQString(runs.at(row)->run.name))),
      m_runs(runs), m_row(row), m_entry(runs.at(row))
{}

void DeleteRunCommand::undo() { m_runs.putBack(m_entry, m_row); }

void DeleteRunCommand::redo() { m_runs.removeRun(m_runs.rowOf(*m_entry)); }
