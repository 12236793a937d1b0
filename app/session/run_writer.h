// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/saved_run_entry.h"
#include "work/worker.h"

#include <optional>
#include <stop_token>

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
    void ended() { tell({}); }   ///< after an error

signals:
    void changed();
    void written(const std::shared_ptr<SavedRunEntry>& entry);
    void message(const QString& sentence);

private:
    void tell(std::optional<Saving> saving);
    Worker::Show write(const std::shared_ptr<SavedRunEntry>& entry, const credence::SavedRun& head,
                       const std::stop_token& cancelled, Worker::Progress& progress);

    const double m_patience;
    std::optional<Saving> m_saving;
    std::stop_source m_cancel;   // of all pending writes
};
