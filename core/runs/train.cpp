// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/train.h"

#include "runs/changed_points.h"
#include "study/method.h"

#include <utility>

namespace credence {

Training train(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
               const TrainingEvents& events)
{
    Training run = method_of(experiment.study).fit(experiment, std::move(stop), control, events);
    if (const auto words = changes_in_words(experiment.study.data, run.report.steps); !words.empty())
        run.report.message += ' ' + words;
    return run;
}

}   // namespace credence
