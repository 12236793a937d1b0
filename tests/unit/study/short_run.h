// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/experiment.h"

namespace credence {

/// Trains a study as it says; the moment of its end.
inline RunMoment moment_of(const Study& study)
{
    const auto experiment = prepare(study);
    const auto trainer    = experiment->make_trainer();
    const auto report     = trainer->run();
    return {experiment, report.last, std::make_shared<TrainingHistory>(trainer->history())};
}

}  // namespace credence
