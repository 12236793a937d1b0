// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

/// The end of a run: its last step.
std::shared_ptr<const credence::Snapshot> endOf(const credence::KeptRun& run);
/// What a run had to learn, as far as its Study and its net tell.
credence::Task taskOf(const credence::KeptRun& run, const credence::Experiment* experiment);
inline std::filesystem::path pathOf(const QString& file) { return file.toStdString(); }

/// A kept run in the window's list: what stands there. Its recorded steps are read from its file, and its experiment (data, start) is made again from its
/// Study, when they are first asked for.
class KeptRunEntry {
public:
    KeptRunEntry(credence::KeptRun run, std::shared_ptr<const credence::Experiment> experiment, QString file);
    /// How outputs from elsewhere are opened again, where they are not in memory any more. Any thread. @throws Error if they cannot be
    using Reopen = std::function<std::pair<credence::KeptRun, std::shared_ptr<const credence::Experiment>>()>;
    KeptRunEntry(credence::KeptRun outputs, std::shared_ptr<const credence::Experiment> experiment, QString file,
                 Reopen reopen);
    KeptRunEntry(const credence::RunSummary& summary, credence::Task task, QString file);

    credence::KeptRun run;   ///< GUI thread only; of its history the last points with an error, and no snapshots
    QString file;            ///< where it is stored; empty: not stored
    bool checked = false;
    mutable QString inTrash;   ///< where its file lies since it was removed; only the thread of the files looks at it

    /// With all recorded steps. Any thread; reads the file where they are not in memory. @throws Error if it cannot be read any more
    std::shared_ptr<const credence::KeptRun> whole() const;
    bool inMemory() const;
    /// Outputs from elsewhere: `file` is the file that they were opened from. No run of ours is written there.
    bool ofOutputs() const { return m_reopen != nullptr; }
    void setStored(bool stored = true);   ///< may `letGo` forget what the file has?
    void letGo();

    /// The end of the run, under the name that the user gave it. Any thread; may take long at the first call.
    /// @throws Error if the Study's data cannot be read any more
    credence::RunMoment end(const std::string& name) const;
    credence::Task task() const { return m_task; }
    bool isEndOf(const std::shared_ptr<const credence::Snapshot>& newest)
        const;   ///< is this the run on show? Never waits for a file

private:
    const std::shared_ptr<const credence::KeptRun>& read() const;

    const credence::Study m_study;
    const credence::Task m_task;
    const QString m_file;
    const Reopen m_reopen;                                      // empty: a run of ours
    mutable std::mutex m_mutex;                                 // of what follows
    mutable std::shared_ptr<const credence::KeptRun> m_whole;   // null: in the file
    mutable std::shared_ptr<const credence::Snapshot> m_last;   // null: not asked for yet
    mutable std::shared_ptr<const credence::TrainingHistory> m_history;
    mutable std::shared_ptr<const credence::Experiment> m_experiment;
    bool m_stored = false;
    mutable std::mutex m_endMutex;   // of what follows: it is never held for long
    mutable std::weak_ptr<const credence::Snapshot>
        m_end;   // the one last step that all have, however often the file is read
};
