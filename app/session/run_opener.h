// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/build_info.h"
#include "runs/archive.h"
#include "session/checkpoint_slot.h"
#include "work/worker.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <utility>

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
    void continueNewest();
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

class SavedRunEntry;
class SavedRuns;

/// Saves finished runs and displays saved ones. Files are read in the background; the newest
/// request wins.
class RunOpener : public QObject {
    Q_OBJECT
public:
    RunOpener(Session& session, StudyDocument& document, SavedRuns& runs, QObject* parent = nullptr);

    void show(int row);   ///< a row of the saved runs; -1: none
    enum class Pace { running, one_step };
    /// Continues a stopped run; its Study becomes the one under edit. Asks first if another build
    /// started it.
    void continueRun(int row, Pace pace = Pace::running);
    void continueShown(Pace pace = Pace::running);   ///< Continues the displayed run.
    int request() { return ++m_request; }
    bool isNewest(int request) const { return request == m_request; }
    QString shownFile() const;   ///< File of the displayed run; empty: not saved.
    void picturesHaveCome();     ///< The charts of the displayed run have been drawn.

signals:
    /// a saved run, or one that has just finished and been saved
    void displayed(std::shared_ptr<SavedRunEntry> entry);
    void opens();   ///< another run replaces the compared ones
    void notified(const QString& sentence);
    /// A message on the displayed run no longer applies, since another one has replaced it.
    void over(const QString& sentence);
    /// Another build started the run to be continued.
    void asked(const QString& question, const std::function<void()>& continueAnyway,
               const std::function<void()>& startAgain);
    void failed(const QString& sentence);

private:
    void continueNow(const std::shared_ptr<SavedRunEntry>& entry, Pace pace);
    void startAgain(const std::shared_ptr<SavedRunEntry>& entry);
    void editStudyOf(const SavedRunEntry& entry, const QString& undoText);
    void followRun();
    void keep(const std::shared_ptr<const credence::Experiment>& experiment, const credence::SavedRun& run,
              const QString& place);

    Session& m_session;
    StudyDocument& m_document;
    SavedRuns& m_runs;
    int m_request = 0;
    std::pair<long, QString> m_shown{-1, {}};   // CurrentRun::number and the file of that run
    QString m_whenDrawn;                        // message for when the charts of a newly displayed run are drawn
    QString m_drawn;                            // the message shown then
};

/// Computes the final score and the summary of each finished run, and of an older one when first displayed, in
/// the background. The score is saved with the run; the summary is computed once per session, and for changed
/// settings of predictions on request.
class RunScores : public QObject {
    Q_OBJECT
public:
    RunScores(const RunOpener& opener, SavedRuns& runs, QObject* parent = nullptr);

    /// Summarises the end of a run with the settings of predictions that it has now.
    void summariseChanged(const std::shared_ptr<SavedRunEntry>& entry, const credence::RunSnapshot& end);

signals:
    void summarised(const std::shared_ptr<SavedRunEntry>& entry);   ///< one of its summaries has been set

private:
    void compute(const std::shared_ptr<SavedRunEntry>& entry);

    SavedRuns& m_runs;
    Worker m_worker{{.niceness = viewNiceness + 2, .newer = Worker::Newer::in_line}};   // charts come first
    Worker m_changed{{.niceness = viewNiceness + 2}};
    Worker m_again{{.niceness = viewNiceness + 2}};   // runs whose score is known: only the newest is worth the time
};
