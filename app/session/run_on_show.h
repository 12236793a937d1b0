// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/laplace_fitter.h"
#include "session/shown_run.h"
#include "session/trainings.h"

#include <utility>

/// The displayed run: the step shown in all views, training progress, and fits after training.
/// Earlier runs are remembered for a while for undo.
class RunOnShow : public QObject {
    Q_OBJECT
public:
    explicit RunOnShow(const Trainings& trainings, QObject* parent = nullptr);

    const ShownRun& run() const { return m_run; }
    /// The run in training if another one is displayed, else the displayed one.
    const ShownRun& training() const { return m_background ? *m_background : m_run; }
    bool trainsInBackground() const { return m_background.has_value(); }
    /// Increases whenever another run is displayed or the same one restarts, which makes earlier
    /// charts obsolete.
    long number() const { return m_number; }
    void showRecorded(int index);   ///< a recorded step; -1: the newest
    /// Do all views show the newest step of a running training?
    bool live() const { return m_run.at < 0 && displaysTraining() && !m_trainings.run()->paused(); }
    bool inSlowMotion() const { return m_trainings.rate() > 0; }   ///< its training, or the one that comes
    void followNewest();   ///< the next moment of the training is the newest one

    void setPlace(const QString& place) { m_run.place = place; }   ///< of the training that has just begun
    void setTrainingState(ShownRun::State state) { trainingRun().state = state; }
    bool setStateKept(const QString& place);   ///< the displayed run can continue, if this is its place
    void show(ShownRun run);                   ///< in silence: the Study of it may still change
    void begin(ShownRun run);                  ///< the same, and tells of it; nothing trains in the background any more
    void showBesideTraining(ShownRun run);     ///< in silence; the training continues in the background
    void showTraining();                       ///< displays the run that trains in the background, and tells of it
    /// Applies the name and prediction settings of a Study with the same training.
    /// @return  does it need another fit?
    bool takeStudy(const credence::Study& study);
    void followStudy(bool refit);   ///< after `takeStudy`: fits, or shows the same moment as the Study wants it now
    void remember();                ///< a run that has ended, because the Study goes on to another
    const ShownRun* remembered(const credence::Study& study) const;   ///< null: none
    void end(credence::TrainingReport report);
    void stand(credence::TrainingReport report);   ///< between two steps: it has ended for now, and is not handed out

    bool canFit() const;   ///< a Laplace run on show that is trained and not training
    const std::optional<LaplaceFitter::Fitting>& fitting() const { return m_fitter.fitting(); }
    /// Fits the displayed run with these options. If the Study is that of the run, edit the Study
    /// instead, which calls this.
    void fit(const credence::LaplaceOptions& options);
    void fitAsRequested();   ///< as the Study of the run says
    void cancelFit() { m_fitter.cancel(); }
    void keepFit();   ///< the run on show, as it is fitted now, as a kept run of its own

signals:
    void momentChanged();
    void recordedChanged();
    void progressed();     ///< of the training
    void fitRequested();   ///< with other options than before
    void fittingChanged();
    void fitFailed(const QString& field, const QString& sentence);
    void fitSaid(const QString& sentence);   ///< what was requested could not be met in full
    /// @param place  see ShownRun
    void runEnded(std::shared_ptr<const credence::Experiment> experiment, std::shared_ptr<credence::KeptRun> run,
                  const QString& place);

private:
    ShownRun& trainingRun() { return m_background ? *m_background : m_run; }
    bool displaysTraining() const { return m_trainings.run() && !m_background; }
    void take(const TrainingRun::Mail& mail);
    void takeFit(const credence::LaplaceFit& fit);

    const Trainings& m_trainings;
    ShownRun m_run;
    std::optional<ShownRun> m_background;   // the training, while another run is displayed
    long m_number = 0;
    std::vector<ShownRun> m_remembered;   // newest last
    LaplaceFitter m_fitter;               // last: its thread ends first
};
