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
    int jobs        = 0;       ///< cells in parallel; 0: as many as threads
    int threads     = 0;       ///< total over all jobs; 0: as many as the machine has. Results depend on neither number
    bool mix_builds = false;   ///< adds cells to those computed by another build
};

/// Callbacks of a sweep. Called from several threads, one at a time.
struct SweepEvents {
    /// Called when the state of a cell changes, also for cells run by another process. First called
    /// once for every cell.
    std::function<void(const SweepCell& cell, const CellStatus& status)> changed{};
    /// Progress of a cell trained here, a few times per second.
    std::function<void(const SweepCell& cell, const TrainingProgress& progress)> progress{};
    /// Called before an atomic write; the returned object is kept until the write is finished. May
    /// be empty.
    std::function<std::shared_ptr<void>()> hold{};
};

struct SweepReport {
    std::size_t done_before                                 = 0;       ///< already done at the start
    std::size_t done                                        = 0;       ///< by this call or by another process meanwhile
    std::vector<std::pair<std::size_t, std::string>> failed = {};      ///< index of the cell, and its error
    bool cancelled                                          = false;   ///< `stop` was requested before all were done
};

/// Runs each cell that is not done: prepare, train_cell, keep_run, results.json. Retries cells that
/// failed in earlier calls. Waits for cells that another process runs, and runs them here if that
/// process dies. A failing cell does not affect the others.
/// @param cells  from cells_of, all or a part
/// @throws Error  if the folder cannot be written, or a file that an unfinished cell reads is
/// missing (require_data_files): nothing is written
/// @throws OtherBuild  if another build computed or started cells, some are missing, and
/// `mix_builds` is not set: nothing is written
SweepReport run_sweep(const Sweep& sweep, std::span<const SweepCell> cells, const SweepFolder& folder,
                      const SweepOptions& options = {}, std::stop_token stop = {}, const SweepEvents& events = {});

/// Trains one cell, resuming after a kill (run_with_checkpoints), in the threads of the enclosing
/// Threads::run. @param folder  existing folder of the cell
/// @param mix_builds  continues a cell started by another build
SavedRun train_cell(const Experiment& experiment, const std::filesystem::path& folder, bool mix_builds,
                    std::stop_token stop, const std::function<void(const TrainingProgress&)>& progress);

}   // namespace credence
