// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/training_run.h"
#include "work/worker.h"

#include "runs/archive.h"
#include "runs/laplace_fit.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

/// The Study under edit, the run that was made of it, and the moment of it that all views show. No widgets here.
///
/// Edits never touch a run that goes on: they wait for the next start. While nothing runs, an edit shows the untrained posterior of the new Study at
/// once; a run that had ended was handed out by `runEnded` and is not lost.
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
    bool active() const { return state() == State::running || state() == State::paused; }
    /// Is a run on show whose settings are not those of the Study any more?
    bool changedSinceStart() const;

    /// Something outside of the Study has changed, a file that was missing has come: a refused Study is prepared again.
    void prepareAgain();

    /// Grows whenever another run is put on show, or the same one begins anew: what was drawn before is of a run that is gone.
    long shownRun() const { return m_shownRun; }
    /// What all views show. Its experiment is null until the first Study is ready.
    credence::RunMoment moment() const;
    const std::shared_ptr<const credence::Snapshot>& newest() const
    {
        return m_newest;
    }   ///< of the run on show, whatever step the views show
    const std::shared_ptr<const credence::Experiment>& shownExperiment() const
    {
        return m_shown;
    }   ///< that of `moment`
    bool live() const { return m_run && m_at < 0 && state() == State::running; }

    /// The recorded steps of the run on show: what the time machine walks through.
    const std::vector<std::shared_ptr<const credence::Snapshot>>& recorded() const { return m_recorder.snapshots(); }
    int shownRecord() const { return m_at; }   ///< -1: the newest
    const std::optional<credence::TrainingProgress>& progress() const { return m_progress; }
    const std::optional<credence::TrainingReport>& report() const { return m_report; }

    /// Laplace approximations: curvature and prior precision are made after the training, and again when they are wished otherwise.
    enum class Work { precision, confidence, curvature };
    struct Fitting {
        Work work    = Work::precision;
        double share = 0;   ///< of the curvature
        std::optional<double> seconds_left;
    };
    const std::optional<Fitting>& fitting() const { return m_fitting; }   ///< empty: nothing is being fitted
    /// Is the Study under edit that of the run on show, but for what is fitted after the training?
    bool showsStudy() const;
    /// Is a run that has ended on show, of another Study than the one under edit?
    bool showsOtherStudy() const;
    /// Does the run that comes begin with the trained net on show? After points were drawn; *Restart* begins anew.
    bool goesOn() const { return m_fromStart != nullptr; }
    bool fitted() const;   ///< does the newest moment have its curvature?
    bool canFit() const;   ///< a Laplace run on show that is trained and not training
    /// Fits the run on show with these options. Where the Study is the one of that run, edit the Study instead: that leads here by itself.
    void fitLaplace(const credence::LaplaceOptions& options);
    void keepFit();   ///< the run on show, as it is fitted now, as a kept run of its own

    /// Puts a kept run on show, without touching the Study. Refused while a run goes on.
    bool showRun(std::shared_ptr<const credence::Experiment> experiment, const credence::KeptRun& run);

public slots:
    void train();   ///< starts, or resumes
    void pause();
    void stepOnce();   ///< one step, then paused
    void restart();    ///< from the start, same seed
    void cancel();
    void showRecorded(int index);

signals:
    void studyChanged();
    void studyAccepted();
    void studyRefused(const QString& field, const QString& sentence);
    void stateChanged();
    void progressed();
    void momentChanged();
    void recordedChanged();
    void fittingChanged();
    void fitSaid(const QString& sentence);          ///< what was wished could not be met in full
    void trainingFailed(const QString& sentence);   ///< what it threw; the steps that were recorded are kept
    void runEnded(std::shared_ptr<const credence::Experiment> experiment, std::shared_ptr<credence::KeptRun> run);

private:
    void makeReady();
    void receive(std::shared_ptr<const credence::Experiment> experiment);
    void refuse(const QString& field, const QString& sentence);
    void receiveMail(int run);
    void start(bool paused);
    void stopRun();
    credence::TrainingReport endedEarly() const;
    void showFresh();
    void rememberShown();
    bool showRemembered();
    void goOnFromShown(bool wentOn);
    bool giveShownTheStudy();
    void finish(credence::TrainingReport report);
    std::shared_ptr<credence::KeptRun> keptRun(credence::TrainingReport report) const;
    void fitAsWished();
    void receiveFit(int request, const credence::LaplaceFit& fit);
    void cancelFit();

    const TrainingRun::Train m_train;
    credence::Study m_study;
    bool m_refused                                                     = false;
    enum class OnceReady { nothing, train, step, restart } m_onceReady = OnceReady::nothing;
    std::shared_ptr<const credence::Experiment> m_ready;   // of m_study; null while it is being made
    std::shared_ptr<const credence::Experiment>
        m_fromStart;   // where m_ready begins with a trained net: the one that begins anew

    std::shared_ptr<const credence::Experiment> m_shown;
    long m_shownRun = 0;
    credence::SnapshotRecorder m_recorder;
    credence::TrainingHistory m_history;   // of the recorded steps
    std::shared_ptr<const credence::Snapshot> m_newest;
    int m_at = -1;
    std::optional<credence::TrainingProgress> m_progress;
    std::optional<credence::TrainingReport> m_report;
    std::string m_started;
    bool m_wentOn = false;   // did the run on show begin with a trained net?

    struct Remembered {   // a run that had ended when the Study was changed: undo brings it back
        std::shared_ptr<const credence::Experiment> experiment;
        credence::SnapshotRecorder recorder;
        credence::TrainingHistory history;
        std::shared_ptr<const credence::Snapshot> newest;
        credence::TrainingReport report;
        std::string started;
    };
    std::vector<Remembered> m_remembered;
    const Remembered* remembered() const;

    int m_runNumber = 0;
    std::unique_ptr<TrainingRun> m_run;                                   // null: nothing was started, or it has ended
    std::vector<std::pair<int, std::unique_ptr<TrainingRun>>> m_ending;   // asked to stop, not yet done

    std::optional<Fitting> m_fitting;
    int m_lastFit   = 0;
    bool m_quickFit = false;                          // the last one only moves a precision that is given by hand
    Worker m_maker{{.niceness = trainingNiceness}};   // makes the Study ready
    Worker m_fitter;                                  // last: both end before what they look at
};
