// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/held_runs.h"
#include "session/run_on_show.h"
#include "session/trainings.h"
#include "work/worker.h"

#include "runs/experiment.h"

#include <QObject>
#include <QString>

#include <memory>

/// The Study under edit, and the run that is made of it. No widgets here.
///
/// Edits never touch a run that goes on: they wait for the next start. While nothing runs, an edit shows the untrained posterior of the new Study at
/// once; a run that had ended was handed out by `RunOnShow::runEnded` and is not lost.
class Session : public QObject {
    Q_OBJECT
public:
    enum class State {
        preparing,   ///< data and start are being made
        refused,     ///< the Study has a mistake; see studyRefused
        ready,       ///< not trained yet
        running,
        paused,
        ended,   ///< a run came to its end or was cancelled
    };

    /// @param train  what a run does; another function in tests
    explicit Session(QObject* parent = nullptr, TrainingRun::Train train = {});
    ~Session() override;   ///< stops all work and waits for it

    const credence::Study& study() const { return m_study; }
    void setStudy(const credence::Study& study);

    State state() const;
    bool active() const { return m_trainings.run() || m_held.any(); }   ///< running or paused
    /// Is a run on show whose settings are not those of the Study any more?
    bool changedSinceStart() const;

    /// Something outside of the Study has changed, a file that was missing has come: a refused Study is prepared again.
    void prepareAgain();

    RunOnShow& onShow() { return m_onShow; }
    const RunOnShow& onShow() const { return m_onShow; }
    const ShownRun& run() const { return m_onShow.run(); }   ///< the one on show
    /// What all views show. Its experiment is null until the first Study is ready.
    credence::RunMoment moment() const { return run().moment(); }
    bool live() const { return run().at < 0 && state() == State::running; }

    /// Is the Study under edit that of the run on show, but for what is fitted after the training?
    bool showsStudy() const;
    /// Is a run that has ended on show, of another Study than the one under edit?
    bool showsOtherStudy() const;
    /// Does the run that comes begin with the trained net on show? After points were drawn; *Restart* begins anew.
    bool goesOn() const { return m_fromStart != nullptr; }

    /// Are outputs from elsewhere on show? They have neither steps nor weights, and no Study of ours.
    bool showsOutputs() const { return run().experiment && run().experiment->outputs; }

    /// Slow motion of this training and of those that come; 0: full speed. The numbers stay the same.
    double stepsPerSecond() const { return m_trainings.rate(); }
    void setStepsPerSecond(double rate) { m_trainings.setRate(rate); }

    /// Puts a kept run on show, without touching the Study. Refused while a run goes on.
    bool showRun(std::shared_ptr<const credence::Experiment> experiment, const credence::KeptRun& run);
    /// Trains another Study and shows it, without touching the one under edit. Refused while a run goes on.
    bool trainOther(std::shared_ptr<const credence::Experiment> experiment);
    /// Trains this Study, which is the one under edit by now, from where it was interrupted. Refused while a run goes on.
    bool goOnWith(std::unique_ptr<RunPlace> place, const credence::Study& study);

    /// The run that goes on stands between two steps, so that it goes on there with other points; also while its points are being changed.
    /// @return  false: none stands. Nothing goes on, or it cannot go on with other points: another method, settings that were changed, nowhere to keep its state
    bool holdForPoints();
    const HeldRuns& held() const { return m_held; }
    void goOnWithPoints();   ///< as it was when it was held: training or paused

public slots:
    void train();   ///< starts, or resumes
    void pause();
    void stepOnce();   ///< one step, then paused
    void restart();    ///< from the start, same seed
    void cancel();

signals:
    void studyChanged();
    void studyAccepted();
    void studyRefused(const QString& field, const QString& sentence);
    void stateChanged();
    void trainingTold(const QString& sentence);     ///< what it says of its checkpoints
    void trainingFailed(const QString& sentence);   ///< what it threw; the steps that were recorded are kept

    // Of the run on show, which also says itself how it goes on and that it has ended; or another one is.
    void momentChanged();
    void recordedChanged();

private:
    void makeReady();
    void receive(std::shared_ptr<const credence::Experiment> experiment);
    void start(std::shared_ptr<const credence::Experiment> experiment, bool paused);
    void stopRun();
    void takeEnd(const credence::Experiment& trained, const TrainingRun::Mail& mail);
    bool showRemembered();
    void goOnFromShown(bool wentOn);
    bool undoPoints(const credence::Study& study);
    bool takePointsFromStart();

    credence::Study m_study;
    bool m_refused                                                     = false;
    enum class OnceReady { nothing, train, step, restart } m_onceReady = OnceReady::nothing;
    std::shared_ptr<const credence::Experiment> m_ready;   // of m_study; null while it is being made
    std::shared_ptr<const credence::Experiment>
        m_fromStart;              // where m_ready begins with a trained net: the one that begins anew
    bool m_trainsOther = false;   // what was started last is not m_study
    bool m_shownFirst  = false;   // a run was put on show while m_study was being made ready: it stays
    HeldRuns m_held;
    Trainings m_trainings;
    RunOnShow m_onShow{m_trainings};
    Worker m_maker{{.niceness = trainingNiceness}};   // makes the Study ready. Last: it ends before what it looks at
};
