// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/kept_run_entry.h"
#include "work/worker.h"

#include <optional>
#include <stop_token>

/// Writes kept runs into their files, whole or not at all, and tells of those that take long.
class RunWriter : public QObject {
    Q_OBJECT
public:
    struct Saving {
        QString name;
        double share = 0;
        std::optional<double> secondsLeft{};
    };

    /// @param patience  seconds of writing before `saving` tells of it
    explicit RunWriter(double patience) : m_patience(patience) {}

    /// What writes the run of an entry, with what the user may have changed in the list: name and note. For the thread of the files.
    Worker::Work work(const std::shared_ptr<KeptRunEntry>& entry);
    const std::optional<Saving>& saving() const { return m_saving; }   ///< empty: nothing, or it takes but a moment
    /// The run that is being written, and those that wait for it, are not: their files stay as they are, and the runs in the list and in memory.
    void cancel();
    void ended() { tell({}); }   ///< by a mistake

signals:
    void changed();
    void written(const std::shared_ptr<KeptRunEntry>& entry);
    void message(const QString& sentence);

private:
    void tell(std::optional<Saving> saving);
    Worker::Show write(const std::shared_ptr<KeptRunEntry>& entry, const credence::KeptRun& head,
                       const std::stop_token& cancelled, Worker::Progress& progress);

    const double m_patience;
    std::optional<Saving> m_saving;
    std::stop_source m_cancel;   // of all that is not written yet
};
