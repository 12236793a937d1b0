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

/// Runs the Study and keeps the snapshots of a SnapshotRecorder: the same recorded steps in every
/// run, and the last step if it was cancelled between two of them. Has no start time.
/// Runs in the threads of the enclosing Threads::run.
SavedRun recorded_run(const Experiment& experiment, std::stop_token stop = {}, TrainingControl* control = nullptr,
                      const TrainingEvents& events = {});

/// What a resumed run recorded before.
struct RecordedBefore {
    SnapshotRecorder recorder{};
    TrainingHistory history{};
    std::string started{};   ///< as in SavedRun
};

struct CheckpointOptions {
    double seconds      = 60;      ///< between two checkpoints; 0: none
    long every          = 0;       ///< for tests: also after this many steps, or displays of parallel runs; 0: off
    bool fresh          = false;   ///< ignores any checkpoint
    bool mix_builds     = false;   ///< continues a run started by another build
    std::string started = {};      ///< as in SavedRun; for a resumed run that of its first start
    /// Receives a sentence about what was found before the first step, "Resuming at step 41,200 of
    /// 100,000 (interrupted run found).", and about failures to write checkpoints.
    std::function<void(const std::string& sentence)> notify = {};
    std::function<void(RecordedBefore before)> on_resume    = {};   ///< called before the first step of a resumed run
    /// Called before the first step of a run that starts from the beginning: the folder of its
    /// checkpoints. Empty: `folder`, where it replaces a checkpoint that it cannot resume.
    std::function<std::filesystem::path()> begin_in = {};
};

/// Runs the Study with checkpoints in `folder` (see checkpoint_file.h). After a kill, the next call
/// resumes the run, with the same bits as an undisturbed run; seconds add up. A checkpoint of
/// another Study (except for its name, its prediction settings, and points that change after the
/// saved step), of other data, of another format or damaged is reported and replaced at the first
/// checkpoint. A run of another build is continued only with `mix_builds`. A cancelled run leaves
/// its last state; all others leave it until `remove_checkpoint` is called after saving the
/// results.
/// Runs in the threads of the enclosing Threads::run; nothing else may write into the folder.
/// @return  as recorded_run
/// @throws OtherBuild  if another build started the run, and neither `fresh` nor `mix_builds` is
/// set
SavedRun run_with_checkpoints(const Experiment& experiment, const std::filesystem::path& folder,
                              const CheckpointOptions& options = {}, std::stop_token stop = {},
                              TrainingControl* control = nullptr, const TrainingEvents& events = {});

/// An interrupted run.
struct InterruptedRun {
    Study study;
    std::string started;   ///< as in SavedRun
    long step = 0, steps = 0;
    Build build{};   ///< computed the last steps
};
/// @return  empty: none
/// @throws Error  that describes the problem with the file
std::optional<InterruptedRun> interrupted_run(const std::filesystem::path& folder);
void remove_checkpoint(const std::filesystem::path& folder);   ///< if it exists

}   // namespace credence
