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
    QString place{};          ///< name of its file and of its checkpoint folder; empty: none yet
    /// Whether it can continue, and how.
    enum class State {
        none,      ///< finished, or nothing was saved
        kept,      ///< stopped; can continue from its checkpoint
        awaited,   ///< asked to continue; its earlier steps are not known yet
    };
    State state = State::none;
    std::optional<credence::Provenance> provenance{};   ///< the program that trained it; empty: unknown
    int at = -1;                                        ///< the recorded step shown in all views; -1: the newest
    mutable credence::RunSnapshot known{};              ///< last result of `current()`
    mutable std::size_t knownHistory = 0;               ///< and its number of recorded steps

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
    void takeBefore(const credence::RecordedBefore& before);
    void record(std::shared_ptr<const credence::Snapshot> snapshot);
    void takeNewest(std::shared_ptr<const credence::Snapshot> snapshot);   ///< ignored if older
    void takeFit(const credence::LaplaceFit& fit);
    void end(credence::TrainingReport ended);
    /// The report of a run that did not finish by itself.
    credence::TrainingReport endedEarly() const;
    /// For the run list. @pre it has finished
    credence::SavedRun kept() const;
};
