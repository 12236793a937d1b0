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

/// Runs the Study and stores the snapshots selected by a SnapshotRecorder: the same recorded steps
/// in every run, plus the last step if the run was cancelled between two of them. Has no start
/// time.
/// Runs in the threads of the enclosing Threads::run.
SavedRun recorded_run(const Experiment& experiment, std::stop_token stop = {}, TrainingControl* control = nullptr,
                      const TrainingEvents& events = {});

/// The data that a resumed run recorded before the interruption.
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
    /// Receives a sentence about the checkpoint before the first step, "Resuming at step 41,200 of
    /// 100,000 (interrupted run found).", and a sentence about each failure to write one.
    std::function<void(const std::string& sentence)> notify = {};
    std::function<void(RecordedBefore before)> on_resume    = {};   ///< called before the first step of a resumed run
    /// Called before the first step of a run that starts from the beginning; returns the folder of
    /// its checkpoints. Empty: `folder`, where it replaces a checkpoint that it cannot resume.
    std::function<std::filesystem::path()> begin_in = {};
};

/// Runs the Study with checkpoints in `folder` (see checkpoint_file.h). After a kill, the next call
/// resumes the run, with the same bits as an uninterrupted run; seconds accumulate.
/// A checkpoint is reported and replaced at the next save if it is damaged, has another format, or
/// belongs to other data or another Study. The Study may differ in its name, in prediction settings
/// and in points that change after the saved step. A run of another build is continued only
/// with `mix_builds`. The last state of the run stays in the folder: after a cancellation for
/// resuming, otherwise until `remove_checkpoint` is called once the results are saved.
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
