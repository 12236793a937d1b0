// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "training/run_plan.h"

namespace credence {

/// The step sizes of a run and the steps after which it saves draws, known before the run.
struct StepSchedule {
    RunPlan plan;
    std::vector<double> step, rate;             ///< points among the steps 1 to plan.steps of a chain, and η there [n]
    std::vector<double> kept, rate_when_kept;   ///< at most 500 of plan.kept, evenly spaced, and η there [m]
};

/// Evaluates the learning rate over the steps of one chain at some hundred points, including each
/// jump or cycle if there are at most 200.
/// @throws Error  "Step schedule: …" for a plan without a learning rate or without steps
StepSchedule step_schedule(RunPlan plan);

/// The curve of η, marks where draws are saved, and shading where none are; no shading for more
/// than 200 such parts.
Chart to_chart(const StepSchedule& schedule);

}   // namespace credence
