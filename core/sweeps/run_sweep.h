// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"
#include "runs/experiment.h"
#include "sweeps/sweep_folder.h"

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace credence {

struct SweepOptions {
    int jobs        = 0;       ///< cells side by side; 0: as many as threads
    int threads     = 0;       ///< of all jobs together; 0: as many as the machine has. The numbers depend on neither
    bool mix_builds = false;   ///< adds cells to those that another build of the program computed
};

/// Who listens to a sweep. Called from several threads, one at a time.
struct SweepEvents {
    /// A cell has another state; of cells that another process runs, too. First told of every cell as it is found.
    std::function<void(const SweepCell& cell, const CellStatus& status)> changed{};
    /// Of a cell that is trained here; a few times a second.
    std::function<void(const SweepCell& cell, const TrainingProgress& progress)> progress{};
    /// What is done now has to be written whole: returned value lives until then. Empty: nobody asks.
    std::function<std::shared_ptr<void>()> hold{};
};

struct SweepReport {
    std::size_t done_before                                 = 0;    ///< found done at the beginning
    std::size_t done                                        = 0;    ///< by this call or, meanwhile, by another process
    std::vector<std::pair<std::size_t, std::string>> failed = {};   ///< index of the cell and why
    bool cancelled                                          = false;   ///< `stop` was requested before all were done
};

/// Runs the cells that are not done, each once: prepare, train_cell, keep_run, results.json. Failed ones of earlier calls are tried again; those that another process
/// runs are waited for, and run here if it dies. A cell that fails takes nothing else with it.
/// @param cells  of cells_of, all or a part
/// @throws Error  if the folder cannot be written
/// @throws OtherBuild  if another build computed cells or began one, some are left to compute, and `mix_builds` is not set: nothing is written
SweepReport run_sweep(const Sweep& sweep, std::span<const SweepCell> cells, const SweepFolder& folder,
                      const SweepOptions& options = {}, std::stop_token stop = {}, const SweepEvents& events = {});

/// Trains one cell, which goes on where a kill stopped it (run_with_checkpoints), in the threads of the enclosing Threads::run. @param folder  of the cell, there already
/// @param mix_builds  continues a cell that another build of the program began
KeptRun train_cell(const Experiment& experiment, const std::filesystem::path& folder, bool mix_builds,
                   std::stop_token stop, const std::function<void(const TrainingProgress&)>& progress);

}   // namespace credence
