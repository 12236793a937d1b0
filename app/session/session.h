// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "runs/experiment.h"
#include "session/current_run.h"
#include "session/trainings.h"
#include "work/worker.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

/// Prepares the Study under edit in the background: reads and splits its data and draws the initial
/// network.
class PreparedStudy : public QObject {
    Q_OBJECT
public:
    explicit PreparedStudy(credence::Study study, QObject* parent = nullptr);

    const credence::Study& study() const { return m_study; }
    /// The starting point of training; null while preparing or after a refusal.
    const std::shared_ptr<const credence::Experiment>& experiment() const { return m_experiment; }
    bool refused() const { return m_refused; }   ///< the Study has an error
    /// Does training start from a network trained on other points?
    bool continuesTraining() const { return m_fromStart != nullptr; }
    /// If so: the points added and erased since. The step is 0.
    const credence::PointsChange& pointsSince() const { return m_pointsSince; }

    /// Sets the Study. A Study with the same training reuses the current preparation.
    /// @return  false: it must be prepared
    bool take(const credence::Study& study);
    /// Checks the method of the Study against the prepared data; on error the Study is refused and
    /// the preparation is kept. @pre experiment
    std::optional<credence::Error> misfit();
    void make();   ///< Nothing is ready until `made`.
    /// Retries a refused Study after an external change, for example when a missing file has become
    /// available.
    void makeAgain();

    /// Makes the next training start from the displayed network after points were drawn or erased,
    /// if it fits the new data and was not trained on any of their test rows.
    /// @pre experiment
    void continueFromRun(const DisplayedRun& shown);
    void beginAnew();   ///< Makes training start from the Study's own initial network.

signals:
    void begun();   ///< Preparation of a refused Study begins.
    void made();
    void failed(const QString& field, const QString& sentence);   ///< The Study is now refused.

private:
    credence::Study m_study;
    bool m_refused = false;
    std::shared_ptr<const credence::Experiment>
        m_before;   // The previously trained experiment, if the previous preparation started from its network.
    std::shared_ptr<const credence::Experiment> m_experiment;   // of m_study; null while preparing
    std::shared_ptr<const credence::Experiment>
        m_fromStart;   // If m_experiment starts from a trained network: the experiment that starts afresh.
    std::shared_ptr<const credence::Experiment> m_trainedOn;   // and the experiment that trained that network
    credence::PointsChange m_pointsSince;
    Worker m_maker{{.niceness = trainingNiceness}};
};

/// Is `after` the same Study as `before` up to this training step, with at most later point
/// changes?
bool isSameUntil(const credence::Study& before, const credence::Study& after, long step);

/// Runs held between two steps because their points are being changed: the run that the next start
/// continues, and earlier runs, which undo restores with their networks.
class PausedRuns {
public:
    /// Holds a run.
    /// @param shown  as displayed, with its report
    /// @param left   its checkpoint at that step
    void hold(DisplayedRun shown, LeftRun left, bool wasRunning);
    /// Saves a state for undo and redo. @param shown  with its report
    void remember(DisplayedRun shown, std::shared_ptr<const CheckpointSlot::Files> files);
    /// Undo and redo: holds a run of this Study again. @return  false: there was no such run, or no
    /// folder for its checkpoint
    bool restore(const credence::Study& study, bool wasRunning);
    /// Returns true if a run of this Study was held that differs from the current Study in points
    /// changed during training.
    bool wasHeld(const credence::Study& study, const credence::Study& now) const;

    /// The held run that a start with this Study would continue; null: none.
    const DisplayedRun* pausedRunOf(const credence::Study& study) const;
    bool any() const { return m_paused.has_value(); }
    long step() const { return m_paused->shown.report->steps; }                          ///< @pre any
    const credence::Study& study() const { return m_paused->shown.experiment->study; }   ///< @pre any
    /// The rows on which it was trained until it was held. @pre any
    const std::shared_ptr<const credence::SplitData>& data() const { return m_paused->shown.experiment->data; }
    bool wasRunning() const { return m_paused && m_paused->wasRunning; }
    /// Releases the held run and its checkpoint to the caller. `files` is null if the checkpoint is
    /// already in its folder. @pre any
    LeftRun handOver();
    void drop();         ///< discards the held run
    QString release();   ///< Stops the held run; its folder keeps the checkpoint. @return  the folder's name

private:
    struct PausedRun {
        DisplayedRun shown;
        LeftRun left;   ///< with `files` if they must be written first
        bool wasRunning = false;
    };
    struct Before {
        DisplayedRun shown;
        std::shared_ptr<const CheckpointSlot::Files> files;   ///< of its checkpoint
    };
    std::optional<PausedRun> m_paused;
    std::vector<Before> m_before;   // newest last
};

/// The Study under edit and its run. No widgets here.
///
/// Edits do not affect a running training; they apply to the next start. Without a running
/// training, an edit displays the untrained posterior of the new Study at once; a finished run has
/// already been published by `CurrentRun::runEnded`.
class Session : public QObject {
    Q_OBJECT
public:
    enum class State {
        preparing,   ///< preparing data and initial network
        refused,     ///< the Study has an error; see studyRefused
        ready,       ///< not trained yet
        running,
        paused,
        ended,   ///< a run finished or was cancelled
    };

    /// @param train  runs the training; replaced in tests
    explicit Session(QObject* parent = nullptr, TrainingRun::Train train = {});
    ~Session() override;   ///< stops all work and waits for it

    const credence::Study& study() const { return m_ready.study(); }
    void setStudy(const credence::Study& study);

    State state() const;
    bool active() const { return m_trainings.run() || m_paused.any(); }   ///< running or paused
    /// Does the displayed run have other settings than the Study?
    bool changedSinceStart() const;

    PreparedStudy& ready() { return m_ready; }   ///< the Study and its prepared starting point
    const PreparedStudy& ready() const { return m_ready; }

    CurrentRun& currentRun() { return m_currentRun; }
    const CurrentRun& currentRun() const { return m_currentRun; }
    const DisplayedRun& run() const { return m_currentRun.run(); }   ///< the displayed run

    /// Is the Study under edit that of the displayed run, except for fits after training?
    bool showsStudy() const;
    /// Is a finished run of another Study displayed?
    bool showsOtherStudy() const;

    /// Limits the rate of this and later trainings; 0: full speed. The results do not change.
    void setStepsPerSecond(double rate) { m_trainings.setRate(rate); }

    /// Registers how the session's own changes of the Study become undo steps. Without it they are
    /// not undoable.
    void setEdit(std::function<void(const credence::Study& after)> edit) { m_edit = std::move(edit); }

    /// Displays a saved run, without touching the Study. A training continues in the background.
    /// @return  false: it has no steps
    /// @param place  see DisplayedRun. @param canContinue  it holds a state
    bool showRun(std::shared_ptr<const credence::Experiment> experiment, const credence::SavedRun& run,
                 const QString& place = {}, bool canContinue = false);
    enum class Place { displayed, background };
    /// Trains another Study without changing the one under edit. In the background, the displayed
    /// run stays, and edits display the Study under edit as without training. Refused while a run
    /// is in progress.
    bool trainOther(std::shared_ptr<const credence::Experiment> experiment, Place place = Place::displayed);
    /// Returns true if the Study under edit will train as soon as it is prepared.
    bool startsOnceReady() const { return m_onceReady != OnceReady::nothing; }
    void showTraining();   ///< Displays the run training in the background.
    /// Displays the Study under edit again instead of a saved run: its training, its run that undo
    /// would restore, or its untrained network.
    void showOwnStudy();
    /// Is the Study under edit being prepared, and displayed as soon as it is ready?
    bool displaysStudyOnceReady() const { return state() == State::preparing && !m_savedOpen; }
    /// Returns true if a saved run is displayed whose Study is not the one under edit.
    bool displaysSaved() const { return m_savedOpen && showsOtherStudy() && !run().ofOutputs(); }
    /// The Study shown in the panel: that of the displayed run, which is read-only if it is not the
    /// one under edit.
    const credence::Study& panelStudy() const;
    /// Trains this Study, already the one under edit, from its checkpoint. Refused while another
    /// run is active.
    /// @param oneStep  makes one step and pauses
    bool continueFrom(std::unique_ptr<CheckpointSlot> place, const credence::Study& study, bool oneStep = false);
    /// Is the displayed run a stopped run of the Study under edit that can continue? Then `train`
    /// and `stepOnce` continue it.
    bool canContinue() const;
    /// Returns true if the displayed run ended before its last step on request. Without a
    /// checkpoint it cannot continue.
    bool stopped() const
    {
        return state() == State::ended && run().report && run().report->stop == credence::StopReason::cancelled;
    }
    /// Is the displayed run a complete run of the Study under edit? Training it again would
    /// reproduce it.
    bool finished() const;
    /// Determines which stopping runs keep a checkpoint to continue from.
    enum class Keep { state, what_took_long };
    void stop(Keep keep = Keep::state);   ///< Saves the run with its results so far.
    /// The checkpoint of a saved run was deleted or restored.
    void setStateKept(const QString& place, bool kept);
    void discard();   ///< Ends training; nothing is saved.

    /// Asks training to hold between two steps, so that it can continue with other points;
    /// `holdEnded` follows.
    /// @return  false: not requested. A run is already held, nothing is training, or it cannot
    ///        continue with other points because of its method, changed settings or a missing
    ///        checkpoint folder
    bool holdForPoints();
    /// True if the state of a run stopped by undo has not arrived yet
    bool leaving() const { return !m_leaving.empty(); }
    bool holding() const { return m_trainings.holding(); }   ///< requested but not held yet
    const PausedRuns& held() const { return m_paused; }

public slots:
    void train();   ///< starts or resumes
    void pause();
    void stepOnce();           ///< one step, then pauses
    void restart();            ///< from the start with the same seed
    void trainTo(long step);   ///< Restarts and pauses at a step. @param step  from 1

signals:
    void studyChanged();
    void studyAccepted();
    void studyRefused(const QString& field, const QString& sentence);
    void stateChanged();
    void runStopped(const QString& place);            ///< The run can now continue, see DisplayedRun.
    void holdEnded();                                 ///< The run is held, has finished by itself, or was cancelled.
    void trainingReported(const QString& sentence);   ///< messages about checkpoints
    void trainingFailed(const QString& sentence);     ///< error from training; the recorded steps are kept

    // Concern the displayed run, which also sends its own progress and end, or a change of the
    // displayed run.
    void snapshotChanged();
    void recordedChanged();

private:
    void receive();
    void start(std::shared_ptr<const credence::Experiment> experiment, bool paused, Place place = Place::displayed);
    void display(DisplayedRun run);
    bool trainsApart() const { return m_trainsApart && m_trainings.run(); }
    void stopRun(Keep keep);
    bool claimCheckpoint();
    void endHoldLater();
    void storeHeldRun(const credence::TrainingReport& report, LeftRun& left);
    void storeUnfinished(const credence::Experiment& trained, const credence::TrainingReport& report, LeftRun* left);
    void finishRun(const credence::Experiment& trained, const TrainingRun::Update& update);
    bool undoPoints(const credence::Study& study);

    std::function<void(const credence::Study& after)> m_edit = [this](const credence::Study& after) {
        setStudy(after);
    };
    enum class OnceReady { nothing, train, step, restart } m_onceReady = OnceReady::nothing;
    bool m_runsOnceHeld                                                = false;   // the held training was running
    bool m_trainsOther = false;   // the last started training is not of the Study under edit
    bool m_trainsApart = false;   // true if it also does not replace the displayed run
    bool m_savedOpen   = false;   // a saved run was opened and nothing has been edited since
    bool m_shownFirst  = false;   // a run displayed while the Study was being prepared stays displayed
    PausedRuns m_paused;
    struct Leaving {
        DisplayedRun run;
        bool kept = false;   // its folder keeps the checkpoint as well
    };
    std::vector<Leaving> m_leaving;   // runs stopped by undo or redo whose states have not arrived yet
    Trainings m_trainings;
    CurrentRun m_currentRun{m_trainings};
    PreparedStudy m_ready;   // last: its thread ends before what it reads
};
