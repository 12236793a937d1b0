// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "command/commands.h"
#include "sweeps/sweep_folder.h"

/// credence sweep --slurm: makes the sweep's folder, writes slurm.sh there, submits the tasks of the cells that are neither done nor in the queue and, after these, the job
/// that makes the tables; or, with --write-only, says how to. Returns the exit status.
/// @throws credence::Error     if sbatch is not there, or an option or the folder's name does not suit it
/// @throws std::runtime_error  if sbatch fails
int submitToSlurm(const credence::Sweep& sweep, const std::vector<credence::SweepCell>& cells,
                  const credence::SweepFolder& folder, const SweepCommand& command);
