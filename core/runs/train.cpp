// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/train.h"

#include "study/method.h"

namespace credence {

Training train(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
               const TrainingEvents& events)
{
    return method_of(experiment.study).fit(experiment, stop, control, events);
}

}   // namespace credence
