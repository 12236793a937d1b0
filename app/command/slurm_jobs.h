// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"
#include "sweeps/sweep_folder.h"

/// Implements credence sweep --slurm: creates the sweep folder, writes slurm.sh there, submits
/// tasks for the cells that are neither done nor queued, and then the job that makes the tables.
/// With --write-only, prints how to submit instead. Returns the exit status.
/// @throws credence::Error     if sbatch is missing, or an option or the folder name does not suit
///        it
/// @throws std::runtime_error  if sbatch fails
int submitToSlurm(const credence::Sweep& sweep, const std::vector<credence::SweepCell>& cells,
                  const credence::SweepFolder& folder, const SweepCommand& command);
