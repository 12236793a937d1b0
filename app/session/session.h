// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/held_runs.h"
#include "session/ready_study.h"
#include "session/run_on_show.h"
#include "session/trainings.h"
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

    const credence::Study& study() const { return m_ready.study(); }
    void setStudy(const credence::Study& study);

    State state() const;
    bool active() const { return m_trainings.run() || m_held.any(); }   ///< running or paused
    /// Is a run on show whose settings are not those of the Study any more?
    bool changedSinceStart() const;

    ReadyStudy& ready() { return m_ready; }   ///< the Study, and what a training of it begins with
    const ReadyStudy& ready() const { return m_ready; }

    RunOnShow& onShow() { return m_onShow; }
    const RunOnShow& onShow() const { return m_onShow; }
    const ShownRun& run() const { return m_onShow.run(); }   ///< the one on show

    /// Is the Study under edit that of the run on show, but for what is fitted after the training?
    bool showsStudy() const;
    /// Is a run that has ended on show, of another Study than the one under edit?
    bool showsOtherStudy() const;

    /// Slow motion of this training and of those that come; 0: full speed. The numbers stay the same.
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
    void receive();
    void start(std::shared_ptr<const credence::Experiment> experiment, bool paused);
    void stopRun();
    void takeEnd(const credence::Experiment& trained, const TrainingRun::Mail& mail);
    bool undoPoints(const credence::Study& study);

    enum class OnceReady { nothing, train, step, restart } m_onceReady = OnceReady::nothing;
    bool m_trainsOther = false;   // what was started last is not the Study
    bool m_shownFirst  = false;   // a run was put on show while the Study was being made ready: it stays
    HeldRuns m_held;
    Trainings m_trainings;
    RunOnShow m_onShow{m_trainings};
    ReadyStudy m_ready;   // last: it ends before what it looks at
};
