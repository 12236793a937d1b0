// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/saved_run.h"

#include <QAbstractTableModel>
#include <QSet>

#include <memory>
#include <vector>

/// "2.35 s", "3:25", "3:25:45"
QString wallTimeText(double seconds);

/// The table of saved runs: names and notes can be edited, check marks select runs to overlay and
/// compare. Each run is saved at once to its own file, on a separate thread.
class SavedRuns : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        name,
        differs,
        score,
        steps,
        time,
        size,
        family,
        note,
        columns
    };   ///< Columns that distinguish runs of the same Study come next to their names.

    enum Role {
        sort_role   = Qt::UserRole,       ///< numeric sort values
        search_role = Qt::UserRole + 1,   ///< of column `name`: all words by which a run can be found
    };

    /// @param patience  seconds of writing before progress is shown
    explicit SavedRuns(QObject* parent = nullptr, double patience = 0.3);
    ~SavedRuns() override;   ///< Waits until all files are written.

    void load();   ///< Lists the runs of the folder, in the background.
    /// Adds a run on top; a continued run replaces its stopped entry. @param place  see
    /// DisplayedRun.
    /// @return its row
    int add(std::shared_ptr<const credence::Experiment> experiment, const credence::SavedRun& run,
            const QString& place = {});
    void stateKept(const QString& place);   ///< The run with this name was stopped and can continue.
    void stateGone(const QString& place);   ///< The checkpoint of the run with this name is missing.
    /// Adds a run opened from a file on top; each file is listed once. @return its row
    int addLoaded(credence::SavedRun run, const QString& file);
    /// Adds imported predictions on top or replaces those of the same file; for this session only,
    /// without copying the file. @return their row
    int addOutputs(std::shared_ptr<SavedRunEntry> entry);
    /// Sets and stores the score.
    void setScore(const std::shared_ptr<SavedRunEntry>& entry, const credence::FinalScore& score);
    void used(const std::shared_ptr<SavedRunEntry>&
                  entry);   ///< Marks the run as recently used and releases the least recently used run from memory.
    /// Moves a file in the program's own folder to the trash; other files are only removed from the
    /// list. Without a trash, the run is restored to the list and `trashRefused` is sent.
    void removeRun(int row);
    void putBack(const std::shared_ptr<SavedRunEntry>& entry, int row);   ///< Restores a removed run with its file.
    void removeForGood(const SavedRunEntry& entry);                       ///< Deletes without the trash.
    int rowOf(const SavedRunEntry& entry) const;                          ///< -1: not in the list
    /// Row of the run with this name, see CheckpointSlot; -1: not in the list.
    int rowOfPlace(const QString& place) const;
    void setReference(const credence::Study& study);   ///< The Study that the column "Differs" compares with.

    const std::shared_ptr<SavedRunEntry>& at(int row) const { return m_entries.at(static_cast<std::size_t>(row)); }
    std::vector<std::shared_ptr<SavedRunEntry>> checked() const;
    RunWriter& writer() { return m_writer; }
    void checkOnly(const std::vector<std::shared_ptr<SavedRunEntry>>& entries);   ///< Clears all other check marks.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void checksChanged();
    void loaded();   ///< All runs of the folder are listed.
    void message(const QString& sentence);
    void stateMoved(const QString& place, bool kept);   ///< a checkpoint was removed or restored together with its run
    void trashRefused(std::shared_ptr<SavedRunEntry> entry, const QString& sentence);

private:
    int rowOfFile(const QString& file) const;
    void store(const std::shared_ptr<SavedRunEntry>& entry);
    void prepend(std::shared_ptr<SavedRunEntry> entry);
    void append(std::vector<std::shared_ptr<SavedRunEntry>> entries);
    QVariant sortValue(const SavedRunEntry& entry, int column) const;
    QString text(const SavedRunEntry& entry, int column) const;

    std::vector<std::shared_ptr<SavedRunEntry>> m_entries;
    std::vector<std::weak_ptr<SavedRunEntry>> m_used;   // most recently used first
    QSet<QString> m_byHand;                             // files of runs created or opened in this session
    credence::Study m_reference;
    RunWriter m_writer;
    Worker m_lister;
    Worker m_files{{.newer = Worker::Newer::in_line}};   // last: pending writes finish when the list is destroyed
};
