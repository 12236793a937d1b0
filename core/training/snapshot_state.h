// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/state_bytes.h"
#include "posterior/variational_family.h"
#include "training/trainer.h"

namespace credence {

// How what a training gives out passes through StateBytes.

void serialise(StateBytes& state, TrainingPoint& point);
void serialise(StateBytes& state, TrainingHistory& history);
/// A snapshot of parameters of a family or of a set of draws; may be null. Numbers of Hamiltonian chains (SampleOrigin::statistics) are not kept with it: those of the last snapshot are
/// made anew at the end.
/// @param family  of which kind parameters are
void serialise(StateBytes& state, std::shared_ptr<const Snapshot>& snapshot, const VariationalFamily<float>& family);
void serialise(StateBytes& state, std::vector<std::shared_ptr<const Snapshot>>& snapshots,
               const VariationalFamily<float>& family);
/// With its last snapshot.
void serialise(StateBytes& state, TrainingReport& report, const VariationalFamily<float>& family);

}   // namespace credence
