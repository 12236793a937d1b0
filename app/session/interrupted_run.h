// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/checkpoint_slot.h"
#include "work/worker.h"

#include "foundation/build_info.h"

#include <QObject>

class Session;
class StudyDocument;

/// Says that another build started this run, and what may differ if this one continues it. Ends
/// without a full stop.
QString startedByOtherBuild(const QString& run, const credence::Build& other);

/// Runs interrupted by the end of an earlier session; offered until continued or discarded.
class InterruptedRuns : public QObject {
    Q_OBJECT
public:
    InterruptedRuns(Session& session, StudyDocument& document, QObject* parent = nullptr);

    void look();   ///< Looks for the newest one, in the background.
    bool any() const { return m_found.has_value(); }
    bool byOtherBuild() const { return m_found && !(m_found->run.build == credence::this_build()); }
    /// "Two moons, mean field: step 41,200 of 100,000"; empty: none
    QString words() const;

public slots:
    /// Continues the run with its Study; the Study under edit is kept if it differs only in later
    /// point changes.
    void goOn();
    void startAgain();   ///< Trains its Study from the start.
    void discard();      ///< Discards it and offers the next one, if any.

signals:
    void changed();

private:
    Session& m_session;
    StudyDocument& m_document;
    std::optional<CheckpointSlot::Found> m_found;
    Worker m_reader{{.niceness = viewNiceness}};   // last: its thread ends before what it reads
};
