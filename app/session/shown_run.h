// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/laplace_fit.h"
#include "runs/run_with_checkpoints.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Do the Studies agree in everything that affects data, initial network and training? Names,
/// prediction settings and fits after training can differ.
bool sameTraining(credence::Study a, const credence::Study& b);

/// A run in the window: its experiment, recorded steps, newest snapshot and report.
struct ShownRun {
    std::shared_ptr<const credence::Experiment> experiment{};   ///< null until the first Study is ready
    credence::SnapshotRecorder recorder{};
    credence::TrainingHistory history{};   ///< of the recorded steps
    std::shared_ptr<const credence::Snapshot> newest{};
    std::optional<credence::TrainingProgress> progress{};
    std::optional<credence::TrainingReport> report{};   ///< empty: it has not ended
    std::string started{};                              ///< ISO date and time
    bool continued = false;   ///< did it start from a trained network, before points were drawn or erased?
    std::string table{};      ///< the state of its table's file when its training began, see KeptRun::table
    QString place{};          ///< the name of its file, and of the place of its state; empty: none yet
    /// Whether it can continue, and how.
    enum class State {
        none,      ///< it has come to its end, or nothing was kept
        kept,      ///< it was stopped and can continue from its place
        awaited,   ///< it was asked to continue; what it recorded before is not known yet
    };
    State state = State::none;
    std::optional<credence::Provenance> provenance{};   ///< which program trained it; empty: not known
    int at = -1;                                        ///< the recorded step that all views show; -1: the newest
    mutable credence::RunMoment known{};                ///< what `moment` made last,
    mutable std::size_t knownHistory = 0;               ///< of so many recorded points

    static ShownRun untrained(std::shared_ptr<const credence::Experiment> experiment);
    static ShownRun of(std::shared_ptr<const credence::Experiment> experiment, const credence::KeptRun& run);

    /// The snapshot shown in all views, created once per step. Its experiment is null until the
    /// first Study is prepared.
    const credence::RunMoment& moment() const;
    /// The steps of the time machine.
    const std::vector<std::shared_ptr<const credence::Snapshot>>& recorded() const { return recorder.snapshots(); }
    /// Imported predictions have neither steps nor weights, and no Study.
    bool ofOutputs() const { return experiment && experiment->outputs; }
    bool trained() const { return newest && newest->point.step > 0; }
    bool fitted() const { return newest && credence::laplace_of(*newest); }   ///< has the newest moment its curvature?

    void takeBefore(const credence::RecordedBefore& before);   ///< of a run that goes on, when nothing is recorded yet
    void record(std::shared_ptr<const credence::Snapshot> snapshot);
    void takeNewest(std::shared_ptr<const credence::Snapshot> snapshot);   ///< unless it is older
    void takeFit(const credence::LaplaceFit& fit);
    void end(credence::TrainingReport ended);
    /// The report of a run that did not finish by itself.
    credence::TrainingReport endedEarly() const;
    /// For the run list. @pre it has finished
    credence::KeptRun kept() const;
};
