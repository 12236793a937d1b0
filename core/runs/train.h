// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

namespace credence {

struct Training {
    TrainingReport report;
    TrainingHistory history;   ///< the recorded steps
};

/// The whole run of a Study. Laplace approximations: trains the point estimate, then fits the
/// curvature as a last phase that can be paused and stopped like training; the fitted snapshot is
/// recorded again at the last step. If this phase is stopped, or the curvature is refused, the
/// result is the point estimate, and the report's message says so.
/// Runs in the threads of the enclosing Threads::run.
Training train(const Experiment& experiment, std::stop_token stop = {}, TrainingControl* control = nullptr,
               const TrainingEvents& events = {});

}   // namespace credence
