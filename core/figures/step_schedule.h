// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "training/run_plan.h"

namespace credence {

/// The step sizes of a run and the steps after which it keeps draws, known before it.
struct StepSchedule {
    RunPlan plan;
    std::vector<double> step, rate;             ///< places among the steps 1 to plan.steps of a chain, and η there [n]
    std::vector<double> kept, rate_when_kept;   ///< of plan.kept at most 500, evenly, and η there [m]
};

/// Evaluates the learning rate over the steps of one chain at some hundred places; where there are at most 200 jumps or cycles, at each of them too.
/// @throws Error  "Step schedule: …" for a plan without a learning rate or without a step
StepSchedule step_schedule(RunPlan plan);

/// The curve of η, marks where something is kept, and shades where nothing is; of more than 200 such parts none is shaded.
Chart to_chart(const StepSchedule& schedule);

}   // namespace credence
