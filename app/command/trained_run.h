// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/run_with_checkpoints.h"

#include <stop_token>

class ProgressLine;

/// Trains a Study and returns the run as it is kept: the same recorded steps in every run of one Study, and the last step where it was cancelled between two of them.
/// Runs in the threads of the enclosing Threads::run.
credence::KeptRun trainedRun(const credence::Experiment& experiment, std::stop_token stop, ProgressLine& line);
/// The same with checkpoints in `folder`, where an interrupted run of the Study goes on; what is found there stands on standard error.
credence::KeptRun trainedRunIn(const std::filesystem::path& folder, credence::CheckpointOptions options,
                               const credence::Experiment& experiment, std::stop_token stop, ProgressLine& line);
