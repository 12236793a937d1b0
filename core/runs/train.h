// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

namespace credence {

struct Training {
    TrainingReport report;
    TrainingHistory history;   ///< the recorded steps
};

/// The whole run of a Study. Laplace approximations: the point estimate is trained, then the curvature is fitted there, as a last phase that pauses and stops
/// as training does; the fitted moment is recorded once more at the last step. If it is stopped, or the curvature is refused, the point estimate is what
/// is left, and the report's message says so.
/// Runs in the threads of the enclosing Threads::run.
Training train(const Experiment& experiment, std::stop_token stop = {}, TrainingControl* control = nullptr,
               const TrainingEvents& events = {});

}   // namespace credence
