// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/displayed_run.h"
#include "session/trainings.h"
#include "work/worker.h"

#include <utility>

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
/// Earlier runs are remembered for a while for undo.
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

    void setPlace(const QString& place) { m_run.place = place; }   ///< for training that has just begun
    void setTrainingState(DisplayedRun::State state) { trainingRun().state = state; }
    bool setStateKept(const QString& place);     ///< The displayed run can continue, if this is its folder.
    void show(DisplayedRun run);                 ///< Sends no signal, since its Study may still change.
    void begin(DisplayedRun run);                ///< Displays the run with a signal; ends any background training.
    void showDuringTraining(DisplayedRun run);   ///< Sends no signal; training continues in the background.
    void showTraining();                         ///< Displays the run training in the background, with a signal.
    /// Applies the name and prediction settings of a Study with the same training.
    /// @return  does it need another fit?
    bool takeStudy(const credence::Study& study);
    /// After `takeStudy`: fits again, or updates the current snapshot to the Study's settings.
    void followStudy(bool refit);
    void remember();   ///< Remembers a finished run, because the Study changes to another.
    const DisplayedRun* remembered(const credence::Study& study) const;   ///< null: none
    void end(credence::TrainingReport report);
    /// Marks the run as finished for now, between two steps; it is not handed out.
    void stand(credence::TrainingReport report);

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
    void fitRequested();   ///< with other options than before
    void fittingChanged();
    void fitFailed(const QString& field, const QString& sentence);
    void fitNoted(const QString& sentence);   ///< A request could not be met in full.
    /// @param place  see DisplayedRun
    void runEnded(std::shared_ptr<const credence::Experiment> experiment, std::shared_ptr<credence::SavedRun> run,
                  const QString& place);

private:
    DisplayedRun& trainingRun() { return m_background ? *m_background : m_run; }
    bool displaysTraining() const { return m_trainings.run() && !m_background; }
    void take(const TrainingRun::Update& update);
    void takeFit(const credence::LaplaceFit& fit);

    const Trainings& m_trainings;
    DisplayedRun m_run;
    std::optional<DisplayedRun> m_background;   // the training run, while another run is displayed
    long m_number = 0;
    std::vector<DisplayedRun> m_remembered;   // newest last
    LaplaceFitter m_fitter;                   // last: its thread ends first
};
