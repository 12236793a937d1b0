// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/run_with_checkpoints.h"

#include <stop_token>

class ProgressLine;

/// Trains a Study and returns the run as saved: the same recorded steps in every run of one Study,
/// plus the last step if cancelled between two of them. Uses the threads of the enclosing
/// Threads::run.
credence::SavedRun trainedRun(const credence::Experiment& experiment, std::stop_token stop, ProgressLine& line);
/// The same with checkpoints in `folder`, from which an interrupted run of the Study continues;
/// reports on standard error what it found there.
credence::SavedRun trainedRunIn(const std::filesystem::path& folder, credence::CheckpointOptions options,
                                const credence::Experiment& experiment, std::stop_token stop, ProgressLine& line);
