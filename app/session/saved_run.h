// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"
#include "study/study.h"
#include "views/run_summary.h"
#include "work/worker.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

/// The last step of a run.
std::shared_ptr<const credence::Snapshot> endOf(const credence::SavedRun& run);
inline std::filesystem::path pathOf(const QString& file) { return file.toStdString(); }

/// An entry of the run list. Recorded steps are read from the file, and the experiment (data,
/// initial network) is rebuilt from the Study, on first use.
class SavedRunEntry {
public:
    SavedRunEntry(credence::SavedRun run, std::shared_ptr<const credence::Experiment> experiment, QString file);
    /// Reopens imported predictions that are no longer in memory. Thread-safe. @throws Error if
    /// this fails
    using Reopen = std::function<std::pair<credence::SavedRun, std::shared_ptr<const credence::Experiment>>()>;
    SavedRunEntry(credence::SavedRun outputs, std::shared_ptr<const credence::Experiment> experiment, QString file,
                  Reopen reopen);
    SavedRunEntry(const credence::RunSummary& summary, QString file);

    credence::SavedRun run;   ///< GUI thread only; without history and snapshots
    QString file;             ///< file of the run; empty: not stored
    bool checked     = false;
    qint64 bytes     = 0;       ///< size on disk, with its checkpoint; 0: not stored yet
    bool canContinue = false;   ///< stopped, with its checkpoint stored
    std::optional<std::vector<credence::SummaryNumber>> summary;   ///< GUI thread only; empty: not computed yet
    /// The same with changed prediction settings.
    std::optional<std::pair<credence::PredictionSpec, std::vector<credence::SummaryNumber>>> changedSummary;
    mutable QString inTrash, stateInTrash;   ///< Locations of its files in the trash; for the file thread.

    /// Returns the run with all recorded steps. Thread-safe; reads the file if necessary. @throws
    /// Error if it can no longer be read
    std::shared_ptr<const credence::SavedRun> whole() const;
    bool inMemory() const;
    qint64 bytesOnDisk() const;   ///< Reads the disk; not for the GUI thread.
    QString place() const;        ///< Name of its file and of its checkpoint folder, see CheckpointSlot.
    /// Imported predictions: `file` is the file they were opened from, to which no run is written.
    bool ofOutputs() const { return m_reopen != nullptr; }
    void setStored(bool stored = true);   ///< true if `unload` may release what the file contains
    void unload();

    /// The end of the run, with the name given by the user. Thread-safe; the first call can be
    /// slow.
    /// @throws Error if the Study's data can no longer be read
    credence::RunSnapshot end(const std::string& name) const;
    bool isEndOf(const std::shared_ptr<const credence::Snapshot>& newest) const;   ///< is this the displayed run?

private:
    std::shared_ptr<const credence::SavedRun> read() const;

    const credence::Study m_study;
    const QString m_file;
    const Reopen m_reopen;   // empty: a run of this program
    mutable std::mutex
        m_reading;   // One thread at a time reads the file or prepares the data. The GUI thread never locks it.
    mutable std::mutex m_mutex;                                  // Guards the members below; locked only briefly.
    mutable std::shared_ptr<const credence::SavedRun> m_whole;   // null: only in the file
    mutable std::shared_ptr<const credence::Snapshot> m_last;    // null: not requested yet
    mutable std::shared_ptr<const credence::TrainingHistory> m_history;
    mutable std::shared_ptr<const credence::Experiment> m_experiment;
    mutable std::weak_ptr<const credence::Snapshot> m_end;   // the shared final step, however often the file is read
    bool m_stored = false;
};

/// Writes runs to their files atomically and reports slow ones.
class RunWriter : public QObject {
    Q_OBJECT
public:
    struct Saving {
        QString name;
        double share = 0;
        std::optional<double> secondsLeft{};
    };

    /// @param patience  seconds of writing before `saving` is sent
    explicit RunWriter(double patience) : m_patience(patience) {}

    /// Returns the task that writes an entry's run, with name and note as edited in the list. For
    /// the file thread.
    Worker::Work work(const std::shared_ptr<SavedRunEntry>& entry);
    /// empty: no write in progress, or only a short one
    const std::optional<Saving>& saving() const { return m_saving; }
    /// Cancels the current and all waiting writes: the files do not change, and the runs stay in
    /// the list and in memory.
    void cancel();
    void ended() { notify({}); }   ///< after an error

signals:
    void changed();
    void written(const std::shared_ptr<SavedRunEntry>& entry);
    void message(const QString& sentence);

private:
    void notify(std::optional<Saving> saving);
    Worker::Show write(const std::shared_ptr<SavedRunEntry>& entry, const credence::SavedRun& head,
                       const std::stop_token& cancelled, Worker::Progress& progress);

    const double m_patience;
    std::optional<Saving> m_saving;
    std::stop_source m_cancel;   // of all pending writes
};

class SavedRuns;

/// Returns the expected time of a whole run of this Study, in seconds: the median time per step of
/// up to five newest runs in the program's own folder that finished with the same data, network and
/// method, times the number of steps. Other numbers of steps, seeds and schedules are allowed.
/// @return  empty: there is no such run
std::optional<double> expectedTime(const credence::Study& study, const SavedRuns& runs);

/// "≈ 4 s", "≈ 12 min", "≈ 4.5 h"
QString expectedTimeText(double seconds);
