// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

namespace credence {

/// Trains a study; returns its final snapshot.
inline RunSnapshot snapshot_of(const Study& study)
{
    const auto experiment = prepare(study);
    const auto trainer    = experiment->make_trainer();
    const auto report     = trainer->run();
    return {experiment, report.last, std::make_shared<TrainingHistory>(trainer->history())};
}

/// Sixty points and eight hidden units: trains in a few milliseconds.
inline Study small_study(const std::string& family, ToyKind kind = ToyKind::two_moons)
{
    Study study;
    study.name               = "small";
    study.data.toy.kind      = kind;
    study.data.toy.n         = 60;
    study.network.hidden     = {8};
    study.posterior.family   = family;
    study.training.steps     = 20;
    study.prediction.samples = 30;
    return study;
}

}   // namespace credence
