// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

/// The last step of a run.
std::shared_ptr<const credence::Snapshot> endOf(const credence::KeptRun& run);
inline std::filesystem::path pathOf(const QString& file) { return file.toStdString(); }

/// An entry of the run list. Recorded steps are read from the file, and the experiment (data,
/// initial network) is rebuilt from the Study, on first use.
class KeptRunEntry {
public:
    KeptRunEntry(credence::KeptRun run, std::shared_ptr<const credence::Experiment> experiment, QString file);
    /// Reopens imported predictions that are no longer in memory. Thread-safe. @throws Error if
    /// this fails
    using Reopen = std::function<std::pair<credence::KeptRun, std::shared_ptr<const credence::Experiment>>()>;
    KeptRunEntry(credence::KeptRun outputs, std::shared_ptr<const credence::Experiment> experiment, QString file,
                 Reopen reopen);
    KeptRunEntry(const credence::RunSummary& summary, QString file);

    credence::KeptRun run;   ///< GUI thread only; without history and snapshots
    QString file;            ///< where it is stored; empty: not stored
    bool checked     = false;
    qint64 bytes     = 0;                    ///< on the disk, with the state from which it continues; 0: not stored yet
    bool canContinue = false;                ///< it was stopped, and the state from which it continues is kept
    mutable QString inTrash, stateInTrash;   ///< where its files lie since it was removed; for the thread of the files

    /// Returns the run with all recorded steps. Thread-safe; reads the file if necessary. @throws
    /// Error if it can no longer be read
    std::shared_ptr<const credence::KeptRun> whole() const;
    bool inMemory() const;
    qint64 bytesOnDisk() const;   ///< asks the disk; not for the GUI thread
    QString place() const;        ///< the name of its file, and of the place of its state, see RunPlace
    /// Imported predictions: `file` is the file they were opened from, to which no run is written.
    bool ofOutputs() const { return m_reopen != nullptr; }
    void setStored(bool stored = true);   ///< may `letGo` forget what the file has?
    void letGo();

    /// The end of the run, with the name given by the user. Thread-safe; the first call can be
    /// slow.
    /// @throws Error if the Study's data can no longer be read
    credence::RunMoment end(const std::string& name) const;
    bool isEndOf(const std::shared_ptr<const credence::Snapshot>& newest) const;   ///< is this the displayed run?

private:
    std::shared_ptr<const credence::KeptRun> read() const;

    const credence::Study m_study;
    const QString m_file;
    const Reopen m_reopen;   // empty: a run of ours
    mutable std::mutex
        m_reading;   // one thread at a time reads the file or prepares the data; never taken by the GUI thread
    mutable std::mutex m_mutex;                                 // of what follows; held for moments only
    mutable std::shared_ptr<const credence::KeptRun> m_whole;   // null: in the file
    mutable std::shared_ptr<const credence::Snapshot> m_last;   // null: not asked for yet
    mutable std::shared_ptr<const credence::TrainingHistory> m_history;
    mutable std::shared_ptr<const credence::Experiment> m_experiment;
    mutable std::weak_ptr<const credence::Snapshot>
        m_end;   // the one last step that all have, however often the file is read
    bool m_stored = false;
};
