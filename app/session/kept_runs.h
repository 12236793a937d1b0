// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "runs/archive.h"

#include <QAbstractTableModel>

#include <memory>
#include <mutex>
#include <vector>

/// A kept run in the window's list: what stands there. Its recorded steps are read from its file, and its experiment (data, start) is made again from its
/// Study, when they are first asked for.
class KeptRunEntry {
public:
    KeptRunEntry(credence::KeptRun run, std::shared_ptr<const credence::Experiment> experiment, QString file);
    KeptRunEntry(const credence::RunSummary& summary, credence::Task task, QString file);

    credence::KeptRun run;   ///< GUI thread only; of its history the last points with an error, and no snapshots
    QString file;            ///< where it is stored; empty: not stored
    bool checked = false;
    mutable QString inTrash;   ///< where its file lies since it was removed; only the thread of the files looks at it

    /// With all recorded steps. Any thread; reads the file where they are not in memory. @throws Error if it cannot be read any more
    std::shared_ptr<const credence::KeptRun> whole() const;
    bool inMemory() const;
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

/// The table of kept runs: names and notes can be edited, check marks choose what is overlaid and compared. Every run is stored as a file of
/// its own at once, on a thread of its own.
class KeptRuns : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        name,
        differs,
        score,
        steps,
        time,
        family,
        note,
        columns
    };   ///< what tells runs of one Study apart stands beside their names

    explicit KeptRuns(QObject* parent = nullptr);
    ~KeptRuns() override;   ///< waits until all is written

    void load();   ///< reads the newest runs of the folder back, in the background
    void add(std::shared_ptr<const credence::Experiment> experiment, const credence::KeptRun& run);
    /// A run opened from a file, on top. @return its row: a file stands in the list once
    int addLoaded(credence::KeptRun run, const QString& file);
    void used(const std::shared_ptr<KeptRunEntry>&
                  entry);   ///< of the whole runs in memory the one that was used longest ago is let go
    /// A file of the program's own folder goes to the trash; a run opened from elsewhere leaves the list only. Where there is no trash the run comes back
    /// and `trashRefused` is sent.
    void removeRun(int row);
    void putBack(const std::shared_ptr<KeptRunEntry>& entry, int row);   ///< what was removed, with its file
    void removeForGood(const KeptRunEntry& entry);                       ///< without trash
    int rowOf(const KeptRunEntry& entry) const;                          ///< -1: not in the list
    void setReference(const credence::Study& study);                     ///< what the column "Differs" compares with

    const std::shared_ptr<KeptRunEntry>& at(int row) const { return m_entries.at(static_cast<std::size_t>(row)); }
    std::vector<std::shared_ptr<KeptRunEntry>> checked() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void checksChanged();
    void message(const QString& sentence);
    void trashRefused(std::shared_ptr<KeptRunEntry> entry, const QString& sentence);

private:
    int rowOfFile(const QString& file) const;
    void store(const std::shared_ptr<KeptRunEntry>& entry);
    void prepend(std::shared_ptr<KeptRunEntry> entry, bool atEnd);
    QString text(const KeptRunEntry& entry, int column) const;

    std::vector<std::shared_ptr<KeptRunEntry>> m_entries;
    std::vector<std::weak_ptr<KeptRunEntry>> m_used;   // newest use first
    credence::Study m_reference;
    int m_number = 0;
    Worker m_files{{.newer = Worker::Newer::in_line}};   // last: what waits to be written is written when the list ends
};
