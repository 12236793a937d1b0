// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/laplace_fit.h"
#include "runs/run_with_checkpoints.h"
#include "session/trainings.h"
#include "work/worker.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Do the Studies agree in everything that affects data, initial network and training? Names,
/// prediction settings and fits after training can differ.
bool sameTraining(credence::Study a, const credence::Study& b);

/// A run in the window: its experiment, recorded steps, newest snapshot and report.
struct DisplayedRun {
    std::shared_ptr<const credence::Experiment> experiment{};   ///< null until the first Study is prepared
    credence::SnapshotRecorder recorder{};
    credence::TrainingHistory history{};   ///< at the recorded steps
    std::shared_ptr<const credence::Snapshot> newest{};
    std::optional<credence::TrainingProgress> progress{};
    std::optional<credence::TrainingReport> report{};   ///< empty: not finished
    std::string started{};                              ///< ISO date and time
    bool continued = false;   ///< did it start from a trained network, before points were drawn or erased?
    std::string table{};      ///< version of its table's file when training began, see SavedRun::table
    std::shared_ptr<const credence::SplitData> data{};   ///< for predictions at new rows, see SavedRun::data
    QString place{};   ///< name of its file and of its checkpoint folder; empty: none yet
    /// Whether the run can be continued, and how.
    enum class State {
        none,      ///< finished, or nothing was saved
        kept,      ///< stopped; can continue from its checkpoint
        awaited,   ///< asked to continue; its earlier steps are not known yet
    };
    State state = State::none;
    /// Continuation was requested; the earlier steps are not known yet
    std::optional<credence::Provenance> provenance{};
    int at = -1;                             ///< the recorded step shown in all views; -1: the newest
    mutable credence::RunSnapshot known{};   ///< last result of `current()`
    mutable std::size_t knownHistory = 0;    ///< the number of recorded steps at that time

    static DisplayedRun untrained(std::shared_ptr<const credence::Experiment> experiment);
    static DisplayedRun of(std::shared_ptr<const credence::Experiment> experiment, const credence::SavedRun& run);

    /// The snapshot shown in all views, created once per step. Its experiment is null until the
    /// first Study is prepared.
    const credence::RunSnapshot& current() const;
    /// The steps of the time machine.
    const std::vector<std::shared_ptr<const credence::Snapshot>>& recorded() const { return recorder.snapshots(); }
    /// Imported predictions have neither steps nor weights, and no Study.
    bool ofOutputs() const { return experiment && experiment->outputs; }
    bool trained() const { return newest && newest->point.step > 0; }
    /// does the newest snapshot have its curvature?
    bool fitted() const { return newest && credence::laplace_of(*newest); }

    /// Adds the earlier steps of a continued run before any new one is recorded.
    void addEarlierSteps(const credence::RecordedBefore& before);
    void record(std::shared_ptr<const credence::Snapshot> snapshot);
    void setNewest(std::shared_ptr<const credence::Snapshot> snapshot);   ///< ignored if older
    void applyFit(const credence::LaplaceFit& fit);
    void end(credence::TrainingReport ended);
    /// The report of a run that did not finish by itself.
    credence::TrainingReport endedEarly() const;
    /// For the run list. @pre it has finished
    credence::SavedRun kept() const;
};

/// Fits curvature and prior precision of a Laplace approximation after training, and again on
/// request.
class LaplaceFitter : public QObject {
    Q_OBJECT
public:
    enum class Work { precision, confidence, curvature };
    struct Fitting {
        Work work    = Work::precision;
        double share = 0;   ///< fraction of the curvature computed
        std::optional<double> secondsLeft{};
    };

    explicit LaplaceFitter(QObject* parent = nullptr);

    /// Fits what the Study of this run specifies, at its newest snapshot.
    void fit(const DisplayedRun& run);
    void cancel();
    const std::optional<Fitting>& fitting() const { return m_fitting; }   ///< empty: no fit in progress

signals:
    void changed();   ///< The fit or its progress changed.
    void fitted(const credence::LaplaceFit& fit);
    void failed(const QString& field, const QString& sentence);

private:
    std::optional<Fitting> m_fitting;
    int m_last   = 0;
    bool m_quick = false;   // the last fit only changes a precision set by hand
    Worker m_worker;        // last: its thread ends first
};

/// The displayed run: the step shown in all views, training progress, and fits after training.
/// Earlier runs are kept in memory for a while, so that undo can restore them.
class CurrentRun : public QObject {
    Q_OBJECT
public:
    explicit CurrentRun(const Trainings& trainings, QObject* parent = nullptr);

    const DisplayedRun& run() const { return m_run; }
    /// The run in training if another one is displayed, else the displayed one.
    const DisplayedRun& training() const { return m_background ? *m_background : m_run; }
    bool trainsInBackground() const { return m_background.has_value(); }
    /// Increases whenever another run is displayed or the same one restarts, which makes earlier
    /// charts obsolete.
    long number() const { return m_number; }
    void showRecorded(int index);   ///< a recorded step; -1: the newest
    /// Do all views show the newest step of a running training?
    bool live() const { return m_run.at < 0 && displaysTraining() && !m_trainings.run()->paused(); }
    bool inSlowMotion() const { return m_trainings.rate() > 0; }   ///< Is the current or next training slowed down?
    void followNewest();   ///< The next snapshot of training is displayed as the newest.

    void setPlace(const QString& place) { trainingRun().place = place; }   ///< for training that has just begun
    void setTrainingState(DisplayedRun::State state) { trainingRun().state = state; }
    /// Marks whether the displayed run can continue, if this is its folder.
    bool setStateKept(const QString& place, bool kept = true);
    void show(DisplayedRun run);    ///< Sends no signal, since its Study may still change.
    void begin(DisplayedRun run);   ///< Displays the run with a signal; ends any background training.
    /// A training begins in the background; the displayed run stays.
    void beginInBackground(DisplayedRun run) { m_background = std::move(run); }
    void showDuringTraining(DisplayedRun run);   ///< Sends no signal; training continues in the background.
    void showTraining();                         ///< Displays the run training in the background, with a signal.
    /// Applies the name and prediction settings of a Study with the same training.
    /// @return  does it need another fit?
    bool applyStudy(const credence::Study& study);
    /// After `applyStudy`: fits again, or updates the current snapshot to the Study's settings.
    void followStudy(bool refit);
    void remember();   ///< Remembers a finished run, because the Study changes to another.
    const DisplayedRun* remembered(const credence::Study& study) const;   ///< null: none
    void end(credence::TrainingReport report);
    /// Marks the run as finished for now, between two steps; its result is not published.
    void holdWithReport(credence::TrainingReport report);

    bool canFit() const;   ///< Is the displayed run a trained Laplace run that is not in training?
    const std::optional<LaplaceFitter::Fitting>& fitting() const { return m_fitter.fitting(); }
    /// Fits the displayed run with these options. If the Study is that of the run, edit the Study
    /// instead, which calls this.
    void fit(const credence::LaplaceOptions& options);
    void fitAsRequested();   ///< Fits as the run's Study specifies.
    void cancelFit() { m_fitter.cancel(); }
    void keepFit();   ///< Saves the displayed run with its current fit as a separate run.

signals:
    void snapshotChanged();
    void recordedChanged();
    void progressed();     ///< Training has advanced.
    void fitRequested();   ///< with options other than before
    void fittingChanged();
    void fitFailed(const QString& field, const QString& sentence);
    void fitNoted(const QString& sentence);   ///< a request could not be fulfilled completely
    /// @param place  see DisplayedRun
    void runEnded(std::shared_ptr<const credence::Experiment> experiment, std::shared_ptr<credence::SavedRun> run,
                  const QString& place);

private:
    DisplayedRun& trainingRun() { return m_background ? *m_background : m_run; }
    bool displaysTraining() const { return m_trainings.run() && !m_background; }
    void apply(const TrainingRun::Update& update);
    void applyFit(const credence::LaplaceFit& fit);

    const Trainings& m_trainings;
    DisplayedRun m_run;
    std::optional<DisplayedRun> m_background;   // the training run, while another run is displayed
    long m_number = 0;
    std::vector<DisplayedRun> m_remembered;   // newest last
    LaplaceFitter m_fitter;                   // last: its thread ends first
};
