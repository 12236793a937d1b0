// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/state_bytes.h"
#include "posterior/variational_family.h"
#include "training/trainer.h"

namespace credence {

// Reads and writes the results of a training with StateBytes.

void serialise(StateBytes& state, TrainingPoint& point);
void serialise(StateBytes& state, TrainingHistory& history);
/// A snapshot of a family's parameters or of a set of draws; may be null. Statistics of Hamiltonian
/// chains (SampleOrigin::statistics) are not stored with it; those of the last snapshot are
/// recomputed at the end.
/// @param family  kind of the parameters
void serialise(StateBytes& state, std::shared_ptr<const Snapshot>& snapshot, const VariationalFamily<float>& family);
void serialise(StateBytes& state, std::vector<std::shared_ptr<const Snapshot>>& snapshots,
               const VariationalFamily<float>& family);
/// Includes its last snapshot.
void serialise(StateBytes& state, TrainingReport& report, const VariationalFamily<float>& family);

}   // namespace credence
