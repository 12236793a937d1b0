// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/build_info.h"
#include "runs/archive.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace credence {

/// Runs the Study and keeps what a SnapshotRecorder keeps: the same recorded steps in every run of it, and the last step where it was cancelled between two of them. Without a time.
/// Runs in the threads of the enclosing Threads::run.
KeptRun recorded_run(const Experiment& experiment, std::stop_token stop = {}, TrainingControl* control = nullptr,
                     const TrainingEvents& events = {});

/// What a run that goes on has recorded before.
struct RecordedBefore {
    SnapshotRecorder recorder{};
    TrainingHistory history{};
    std::string started{};   ///< as KeptRun has it
};

struct CheckpointOptions {
    double seconds = 60;   ///< between two checkpoints; 0: none are written
    long every =
        0;   ///< a checkpoint after so many steps as well, or looks of runs that go on side by side: for tests; 0: not
    bool fresh          = false;   ///< begins anew, whatever there is
    bool mix_builds     = false;   ///< continues a run that another build of the program began
    std::string started = {};      ///< as KeptRun has it; of a run that goes on that of its beginning
    /// Takes a sentence on what was found, before the first step: "Goes on at step 41,200 of 100,000 (interrupted run found)."; and why no more checkpoints are written.
    std::function<void(const std::string& sentence)> tell = {};
    std::function<void(RecordedBefore before)> goes_on    = {};   ///< of a run that goes on, before its first step
};

/// Runs the Study with checkpoints in `folder` (see checkpoint_file.h): what a kill leaves there is gone on with at the next call, with the bits of an undisturbed run; the seconds add up. A run of
/// another Study (but for its name, its way of predicting, and points that change behind the step of the state) or other data, a damaged one and one of another format is told and replaced at the first checkpoint. A run by another build is continued with `mix_builds` alone. A cancelled run leaves its last state, too; all others
/// leave it until `remove_checkpoint` is called, when what they made is kept.
/// Runs in the threads of the enclosing Threads::run; nobody else writes into the folder.
/// @return  as recorded_run
/// @throws OtherBuild  if another build began the run, and neither `fresh` nor `mix_builds` is set
KeptRun run_with_checkpoints(const Experiment& experiment, const std::filesystem::path& folder,
                             const CheckpointOptions& options = {}, std::stop_token stop = {},
                             TrainingControl* control = nullptr, const TrainingEvents& events = {});

/// A run that was interrupted.
struct InterruptedRun {
    Study study;
    std::string started;   ///< as KeptRun has it
    long step = 0, steps = 0;
    Build build{};   ///< that computed the last steps
};
/// @return  empty: there is none
/// @throws Error  that says what is wrong with the file
std::optional<InterruptedRun> interrupted_run(const std::filesystem::path& folder);
void remove_checkpoint(const std::filesystem::path& folder);   ///< if there is one

}   // namespace credence
