// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/error.h"
#include "runs/experiment.h"
#include "unit/refusal.h"
#include "unit/runs/short_run.h"
#include "views/views.h"

#include <cstdint>
#include <string>

/// The end of a run of ten steps on 60 points of a toy.
inline credence::RunSnapshot short_snapshot(const std::string& name, credence::ToyKind kind, std::uint64_t seed = 1)
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

namespace credence {

/// Makes a view without a stop request.
inline Chart drawn(const std::string& id, const RunSnapshot& run, const ViewOptions& options = {})
{
    return view(id).make(run, options, {}).value();
}

/// The reason why a view is unavailable; empty: none.
inline std::string refusal_of(const std::string& id, const RunSnapshot& run, const ViewOptions& options = {})
{
    return sentence_of_error([&] { view(id).make(run, options, {}); });
}

/// Views of maps on few cells.
inline ViewOptions coarse()
{
    ViewOptions options;
    options.map.cells = 6;
    return options;
}

/// Mean field after a short run on two moons, trained once for all tests of a program.
inline const RunSnapshot& moons()
{
    static const auto run = snapshot_of(small_study("mean_field"));
    return run;
}

inline const HeatMap& map_of(const Panel& panel) { return std::get<HeatMap>(panel.series.front()); }

}   // namespace credence
