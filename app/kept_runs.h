// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/archive.h"

#include <QAbstractTableModel>
#include <QThreadPool>

#include <memory>
#include <mutex>
#include <vector>

/// A kept run in the window's list. Its experiment (data, start) is made again from its Study when a view first asks.
class KeptRunEntry {
public:
    KeptRunEntry(credence::KeptRun run, std::shared_ptr<const credence::Experiment> experiment, QString file);

    credence::KeptRun run;       ///< GUI thread only
    QString           file;      ///< where it is stored; empty: not stored
    bool              checked = false;
    mutable QString   inTrash;   ///< where its file lies since it was removed; only the thread of the files looks at it

    /// The end of the run, under the name that the user gave it. Any thread; may take long at the first call.
    /// @throws Error if the Study's data cannot be read any more
    credence::RunMoment end(const std::string& name) const;
    credence::Task task() const { return m_task; }
    bool isEndOf(const std::shared_ptr<const credence::Snapshot>& newest) const { return m_last && m_last == newest; }   ///< is this the run on show?

private:
    const credence::Study m_study;
    const credence::Task  m_task;
    const std::shared_ptr<const credence::Snapshot> m_last;
    const std::shared_ptr<const credence::TrainingHistory> m_history;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const credence::Experiment> m_experiment;
};

/// The table of kept runs: names and notes can be edited, check marks choose what is overlaid and compared. Every run is stored as a file of
/// its own at once, on a thread of its own.
class KeptRuns : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, differs, score, steps, time, family, note, columns };   ///< what tells runs of one Study apart stands beside their names

    explicit KeptRuns(QObject* parent = nullptr);
    ~KeptRuns() override;   ///< waits until all is written

    void load();   ///< reads the newest runs of the folder back, in the background
    void add(std::shared_ptr<const credence::Experiment> experiment, const credence::KeptRun& run);
    int  addLoaded(credence::KeptRun run, const QString& file);   ///< a run opened from a file, on top. @return its row: a file stands in the list once
    /// A file of the program's own folder goes to the trash; a run opened from elsewhere leaves the list only. Where there is no trash the run comes back
    /// and `trashRefused` is sent.
    void removeRun(int row);
    void putBack(const std::shared_ptr<KeptRunEntry>& entry, int row);   ///< what was removed, with its file
    void removeForGood(const KeptRunEntry& entry);                       ///< without trash
    int  rowOf(const KeptRunEntry& entry) const;                         ///< -1: not in the list
    void setReference(const credence::Study& study);   ///< what the column "Differs" compares with

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
    int  rowOfFile(const QString& file) const;
    void store(const KeptRunEntry& entry);
    void prepend(std::shared_ptr<KeptRunEntry> entry, bool atEnd);
    QString text(const KeptRunEntry& entry, int column) const;

    std::vector<std::shared_ptr<KeptRunEntry>> m_entries;
    credence::Study m_reference;
    int m_number = 0;
    QThreadPool m_files;   ///< one thread: files are written in order
};
