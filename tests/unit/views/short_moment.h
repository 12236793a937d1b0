// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <cstdint>
#include <string>

/// The end of a run of ten steps on 60 points of a toy.
inline credence::RunSnapshot short_moment(const std::string& name, credence::ToyKind kind, std::uint64_t seed = 1)
{
    credence::Study study;
    study.name               = name;
    study.seed               = seed;
    study.data.toy.kind      = kind;
    study.data.toy.n         = 60;
    study.network.hidden     = {8};
    study.training.steps     = 10;
    study.prediction.samples = 20;
    const auto experiment    = prepare(study);
    return {experiment, experiment->make_trainer()->run().last, nullptr};
}
