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
};
TrainingCurves training_curves(const TrainingHistory& history, Task task);

Chart to_chart(const TrainingCurves& curves);
/// One run: training and test curves by their tones; several: one category a run, test errors dashed.
Chart to_chart(const std::vector<TrainingCurves>& runs);

}   // namespace credence
