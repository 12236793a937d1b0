// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "data/dataset.h"
#include "training/run_plan.h"
#include "training/snapshot.h"

namespace credence {

/// The recorded curves of one run. A curve holds the steps at which its value is known.
struct TrainingCurves {
    struct Curve {
        std::vector<double> step, value;
        bool empty() const { return step.empty(); }
    };
    std::string name;         ///< of the run, if several are drawn in one panel
    std::string error_unit;   ///< regression: of the RMSE; empty for shares
    Task task = Task::classification;
    Curve data_loss;     ///< nats per example
    Curve kl;            ///< nats
    Curve weighted_kl;   ///< weight · KL, nats per example: the term that is added to the loss
    Curve training_error, test_error;
    std::string test_name = "test";   ///< the set of test_error: "validation" if the run has
                                      ///< validation images
};
TrainingCurves training_curves(const TrainingHistory& history, Task task);

Chart to_chart(const TrainingCurves& curves);
/// One run: training and test curves in their tones; several: one category per run, training errors
/// dashed.
Chart to_chart(const std::vector<TrainingCurves>& runs);

/// The quantity drawn against the steps in one panel for several runs.
enum class CurveQuantity {
    error,   ///< training errors dashed, test or validation errors solid: shares in percent, or
             ///< RMSE
    loss,    ///< mean minibatch loss, nats per example
    kl,      ///< KL to the prior, nats
};
/// @throws Error "--quantity is \"x\", expected one of error, loss, kl."
CurveQuantity curve_quantity_named(const std::string& wanted);

struct CurveChoice {
    CurveQuantity quantity                    = CurveQuantity::error;
    bool logarithmic                          = false;   ///< vertical axis; values that are not above 0 are left out
    bool operator==(const CurveChoice&) const = default;
};

/// One panel with this quantity, one category per run. Runs without it have no curve.
Panel overlay_panel(const std::vector<TrainingCurves>& runs, const CurveChoice& choice);

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
