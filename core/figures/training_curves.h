// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "data/dataset.h"
#include "training/snapshot.h"

namespace credence {

/// The recorded curves of one run. A curve holds the steps at which its value is known.
struct TrainingCurves {
    struct Curve {
        std::vector<double> step, value;
        bool empty() const { return step.empty(); }
    };
    std::string name;         ///< of the run, where several are drawn over one another
    std::string error_unit;   ///< regression: of the RMSE; empty for shares
    Task task = Task::classification;
    Curve data_loss;     ///< nats per example
    Curve kl;            ///< nats
    Curve weighted_kl;   ///< weight · KL, nats per example: what is added to the loss
    Curve training_error, test_error;
    std::string test_name = "test";   ///< what test_error is about: "validation" of a run that keeps validation images
};
TrainingCurves training_curves(const TrainingHistory& history, Task task);

Chart to_chart(const TrainingCurves& curves);
/// One run: training and test curves by their tones; several: one category a run, training errors dashed.
Chart to_chart(const std::vector<TrainingCurves>& runs);

/// What stands against the steps in one panel for several runs.
enum class CurveQuantity {
    error,   ///< training errors dashed, those of the test or validation set full: shares in percent, or RMSE
    loss,    ///< mean minibatch loss, nats per example
    kl,      ///< KL to the prior, nats
};
/// @throws Error "--quantity is \"x\", expected one of error, loss, kl."
CurveQuantity curve_quantity_named(const std::string& wanted);

struct CurveChoice {
    CurveQuantity quantity                    = CurveQuantity::error;
    bool logarithmic                          = false;   ///< the vertical axis; what is not above 0 is left out
    bool operator==(const CurveChoice&) const = default;
};

/// One panel with this quantity of each run, one category a run. Runs without it have no curve.
Panel overlay_panel(const std::vector<TrainingCurves>& runs, const CurveChoice& choice);

}   // namespace credence
