// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "foundation/output_folder.h"
#include "study/study.h"

#include <QDateTime>
#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class Session;

/// What a window has open, on the disk a second after it changed, in a folder that is this window's as long as it lives: what a kill leaves there comes back at the next start. A window
/// that is closed leaves nothing.
class SessionJournal : public QObject {
    Q_OBJECT
public:
    /// @param shownRun  where the run on show is stored; empty: nowhere
    SessionJournal(Session& session, std::function<QString()> shownRun, QObject* parent = nullptr);
    ~SessionJournal() override;
    void close();   ///< nothing is written any more, and what was is removed

    /// What a window left that ended without being closed. While it lives no other window takes it.
    struct Left {
        std::unique_ptr<credence::OutputFolder> folder;
        QString studyFile, shownRun;
        QDateTime when;
        void forget() const;   ///< removes it
    };
    /// Takes the newest one. @return  empty: there is none
    static std::optional<Left> left();

signals:
    void written();

private:
    void write();

    Session& m_session;
    std::function<QString()> m_shownRun;
    QTimer m_soon;
    credence::Study m_written;   // and the file of the run on show: what was written last
    QString m_writtenRun;
    std::unique_ptr<credence::OutputFolder> m_folder;   // null: nothing was written yet
    std::optional<Worker> m_writer;                     // empty: closed
};
